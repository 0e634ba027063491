import type { Catalog } from './catalog/catalog.ts';
import { packageInfo } from './catalog/package-info.ts';
import type { DrawFuzz, Fuzz } from './fuzz/fuzz.ts';
import type { JudgedCase } from './judge/assess.ts';
import { makeRounds } from './judge/merge-rounds.ts';
import { openModels } from './models-of-run.ts';
import { addEstimates, type Estimate, estimate, type PlanSize } from './plan/estimate.ts';
import type { ModelTemplates } from './plan/model-cases.ts';
import { isJudged, type Plan, plan } from './plan/plan.ts';
import { type Restraint, restrain } from './plan/restrain.ts';
import type { SelectedPlan, Selection } from './plan/select.ts';
import { selectWithModels } from './plan/select-models.ts';
import { type Profile, UsageError } from './profile/profile.ts';
import { buildReport, type ClosedRound, closeRound } from './report/build-report.ts';
import { describeExchange } from './report/describe-exchange.ts';
import { makeLiveRedact } from './report/redact.ts';
import type { Report } from './report/report.ts';
import { runRound } from './round.ts';
import type { RunEvent } from './run-event.ts';
import { makeBudget } from './send/budget.ts';
import { buildContext } from './send/build-context.ts';
import { makeControls } from './send/controls.ts';
import type { Sender } from './send/deliver.ts';
import { makeDraw } from './send/draw.ts';
import { waitForGateway } from './send/execute.ts';
import { defaultLimits, type Limits, openTransport, type Transport } from './send/http.ts';
import { makeKeys, truncatedLength } from './send/keys.ts';
import { defaultPatience, makePace, type Patience } from './send/pace.ts';
import type { Reach } from './send/reach.ts';
import { makeStopSwitch } from './send/stop.ts';

/** What is judged of a gateway, and how; everything has a default that suits most. */
export interface RunOptions {
  /** Everything where it isn't given. */
  readonly selection?: Selection;
  /** Patterns of the listed models for each of which what a model can vary is sent; `all` for all of them. */
  readonly models?: readonly string[] | undefined;
  /** What the run must not do to its gateway; nothing is forbidden where it isn't given. */
  readonly restraint?: Restraint;
  /** Requests at once; 8 where it isn't given. */
  readonly concurrency?: number;
  readonly limits?: Limits;
  readonly reach?: Reach | undefined;
  /** How long to wait for a gateway that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** How often every case is sent; once where it isn't given. */
  readonly repeat?: number;
  /** How long the run may take, in milliseconds; what was judged until then is reported. */
  readonly maxMs?: number | undefined;
  /** The most requests a second, a burst left out. */
  readonly perSecond?: number | undefined;
  /** The most successful model calls; a plan with more is refused, and a run that comes to more is stopped. */
  readonly maxBillable?: number | undefined;
  /** Whether to stop after this case. */
  readonly stopAfter?: (item: JudgedCase) => boolean;
  /** How often and how long a request that met 429, 5xx or no answer is sent again; the usual where it isn't given. */
  readonly patience?: Patience;
  /** Another way to the gateway than HTTP, such as to one in the same process; closed when the run is over. */
  readonly transport?: Transport;
  /** Draws requests at random beside the cases of the suites. */
  readonly fuzz?: DrawFuzz | undefined;
  /** What `prepare` made of an equal profile earlier, where many targets are judged. */
  readonly prepared?: Prepared;
  /** What the run makes up, such as a model that nobody has, is made of this; another each time where it isn't given. */
  readonly seed?: string;
  /** Keys of other gateways, of which the report must not tell either. */
  readonly otherKeys?: readonly string[];
  /** Aborted to end the run; what was judged is reported. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: (event: RunEvent) => void;
}

/** The cases of a run, before anything is sent. */
export type Prepared = SelectedPlan & {
  /** The plan before anything was selected. */
  readonly whole: Plan;
  readonly estimate: Estimate;
  /** What the estimate was made with. */
  readonly size: PlanSize;
  /** What is sent for each listed model, where models are asked for; not in the estimate. */
  readonly templates: ModelTemplates | undefined;
  readonly fuzz: Fuzz | undefined;
};

/** Plans a run and limits it to the selection; throws UsageError where a name in it matches nothing. */
export function prepare(
  catalog: Catalog,
  profile: Profile,
  {
    selection = { suites: [], only: [] },
    restraint,
    repeat = 1,
    maxBillable,
    models,
    fuzz: draw,
  }: Pick<RunOptions, 'selection' | 'restraint' | 'repeat' | 'maxBillable' | 'models' | 'fuzz'>,
): Prepared {
  const fuzz = draw?.(catalog, profile);
  const whole = fuzz?.plan ?? plan(catalog, profile);
  const allowed = restraint ? restrain(whole, restraint) : whole;
  const selected = selectWithModels(allowed, selection, { asksForModels: models !== undefined, catalog });
  const size = { burst: profile.rateLimit?.requests ?? 0, rounds: repeat };
  const estimated = estimate(selected.sent, size);
  if (maxBillable !== undefined && estimated.billable > maxBillable) {
    throw new UsageError(
      `This run would make ${estimated.billable} calls that may be billed, more than ${maxBillable}. Choose fewer cases (--suite, --only, --safe), or allow more.`,
    );
  }
  return { ...selected, whole, estimate: estimated, size, fuzz };
}

/** Judges a gateway: plans, sends, judges, and gives the report. */
export async function run(catalog: Catalog, profile: Profile, options: RunOptions = {}): Promise<Report> {
  const { concurrency = 8, limits = defaultLimits, waitMs = 0, repeat = 1, onEvent } = options;
  const prepared = options.prepared ?? prepare(catalog, profile, options);
  const cases = prepared.plan.cases.filter(isJudged).map(({ id }) => id);
  let { estimate: estimated } = prepared;
  const keys = makeKeys(profile.keys, { draw: makeDraw(options.seed), others: options.otherKeys });
  const stop = makeStopSwitch(options.signal, options.maxMs);
  const transport =
    options.transport ??
    openTransport(profile.baseUrl, {
      connections: concurrency,
      limits,
      reach: options.reach,
      signal: stop.signal,
    });
  const describing = {
    baseUrl: profile.baseUrl,
    redact: makeLiveRedact(keys.secrets),
    cut: profile.keys.valid.length - truncatedLength(profile.keys.valid),
  };
  let sent = 0;
  const sender: Omit<Sender, 'context'> = {
    transport,
    stop,
    pace: makePace(options.patience ?? defaultPatience, {
      perSecond: options.perSecond,
      atOnce: concurrency,
      signal: stop.signal,
    }),
    budget: options.maxBillable === undefined ? undefined : makeBudget(options.maxBillable),
    onExchange: (exchange) => {
      sent += 1 + exchange.earlier.length;
      onEvent?.({
        kind: 'exchange',
        // Described for those who look at it, since to find keys in every text takes its time.
        get exchange() {
          return describeExchange(exchange, describing);
        },
        sent,
        planned: estimated.requests,
      });
    },
  };
  const onCase = (item: JudgedCase): void => {
    onEvent?.({ kind: 'case', id: item.planned.id, outcome: item.outcome });
    if (options.stopAfter?.(item))
      stop.stop({ kind: 'bail', reason: 'The run was stopped at the first violation.' });
  };
  const parts = {
    catalog,
    profile,
    keys,
    concurrency,
    sender,
    onCase: onEvent || options.stopAfter ? onCase : undefined,
  };
  const startedAt = Date.now();
  const start = performance.now();
  try {
    if (waitMs > 0) {
      const context = buildContext(catalog, profile, keys, makeControls());
      await waitForGateway({ ...sender, context }, waitMs);
    }
    const models =
      prepared.templates &&
      (await openModels({ ...parts, prepared, templates: prepared.templates, options, describing }));
    estimated = addEstimates(estimated, models?.estimate);
    onEvent?.({ kind: 'planned', cases, estimate: estimated, models: models?.planned });
    const rounds = makeRounds();
    const shrink = prepared.fuzz?.makeShrink();
    const closed: ClosedRound[] = [];
    while (closed.length === 0 || (closed.length < repeat && !stop.stopped())) {
      const round = await runRound({
        ...parts,
        selected: prepared,
        draw: makeDraw(options.seed && `${options.seed} ${closed.length}`),
        shrink,
        mayBill: !options.restraint?.safe && options.maxBillable === undefined,
        isLast: closed.length === repeat - 1,
        before: closed.length === 0 ? models?.before : undefined,
      });
      if (closed.length === 0) await models?.finish(round.execution.controls);
      rounds.add(round.judged);
      closed.push(closeRound(round, { ...describing, isFirst: closed.length === 0 }));
    }
    const report = buildReport({
      ...describing,
      catalog,
      tool: packageInfo,
      judged: rounds.cases(),
      rounds: closed,
      estimate: estimated,
      sent,
      startedAt,
      durationMs: performance.now() - start,
      stopped: stop.stopped(),
      shard: prepared.shard,
      models: models?.close(),
      fuzz: prepared.fuzz?.options,
    });
    onEvent?.({ kind: 'report', report });
    return report;
  } finally {
    stop.release();
    await transport.close();
  }
}
