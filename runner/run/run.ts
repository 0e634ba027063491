import { randomUUID } from 'node:crypto';
import { packageInfo } from '../../contract/package-info.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { mayBeBilled } from '../execute/budget.ts';
import { makeControls } from '../execute/controls.ts';
import { waitForGateway } from '../execute/execute.ts';
import type { Patience } from '../execute/rate-limiter.ts';
import type { JudgedCase } from '../judge/assess.ts';
import { makeRounds } from '../judge/merge-rounds.ts';
import { addEstimates } from '../plan/estimate.ts';
import { isJudged } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { buildReport, type ClosedRound, closeRound } from '../report/build-report.ts';
import { describeExchange } from '../report/describe-exchange.ts';
import type { Report } from '../report/report.ts';
import { buildContext, makeDraw } from '../request/request-context.ts';
import { isHeldBack } from '../transport/exchange.ts';
import type { Limits, Transport } from '../transport/http.ts';
import type { Reach } from '../transport/pool.ts';
import type { RunEvent } from './events.ts';
import { openModels } from './models.ts';
import { type PlanOptions, type Prepared, prepare } from './prepare.ts';
import { runRound } from './round.ts';
import { openLine, usualConcurrency } from './session.ts';

/** What is judged of a gateway, and how; everything has a default that suits most. */
export interface RunOptions extends PlanOptions {
  /** Requests at once; 8 where it isn't given. */
  readonly concurrency?: number;
  readonly limits?: Limits;
  readonly reach?: Reach | undefined;
  /** How long to wait for a gateway that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** How long the run may take, in milliseconds; what was judged until then is reported. */
  readonly maxMs?: number | undefined;
  /** The most requests a second, a burst left out. */
  readonly perSecond?: number | undefined;
  /** Whether to stop after this case. */
  readonly stopAfter?: (item: JudgedCase) => boolean;
  /** How often and how long a request that met 429, 5xx or no answer is sent again; the usual where it isn't given. */
  readonly patience?: Patience;
  /** Another way to the gateway than HTTP, such as to one in the same process; closed when the run is over. */
  readonly transport?: Transport;
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

/** Judges a gateway: plans, sends, judges, and gives the report. */
export async function run(catalog: Catalog, profile: Profile, options: RunOptions = {}): Promise<Report> {
  const { concurrency = usualConcurrency, waitMs = 0, repeat = 1, onEvent } = options;
  const prepared = options.prepared ?? prepare(catalog, profile, options);
  const cases = prepared.plan.cases.filter(isJudged).map(({ id }) => id);
  let { estimate: estimated } = prepared;
  let sent = 0;
  let billed = 0;
  const line = openLine(profile, options, prepared.estimate, (exchange) => {
    if (isHeldBack(exchange)) return;
    const tries = [...exchange.earlier, exchange.result];
    sent += tries.length;
    billed += tries.filter((result) => mayBeBilled(exchange.facts, result)).length;
    onEvent?.({
      kind: 'exchange',
      // Described for those who look at it, since to find keys in every text takes its time.
      get exchange() {
        return describeExchange(exchange, line.describing);
      },
      sent,
      planned: estimated.requests,
    });
  });
  const { keys, stop, sender, describing } = line;
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
      closed.push(
        closeRound(round, { ...describing, operations: catalog.operations, isFirst: closed.length === 0 }),
      );
    }
    const report = buildReport({
      ...describing,
      catalog,
      tool: packageInfo,
      judged: rounds.cases(),
      rounds: closed,
      estimate: estimated,
      sent,
      billed,
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
    await line.close();
  }
}

/**
 * Options for runs over several gateways that are to be compared: what they make up, such as a model that nobody has, is
 * the same for all, and no report tells of a key of another gateway.
 */
export function runAlike(
  profiles: readonly Profile[],
): (profile: Profile) => Pick<RunOptions, 'seed' | 'otherKeys'> {
  const seed = randomUUID();
  return (profile) => ({
    seed,
    otherKeys: profiles.filter((other) => other !== profile).flatMap(({ keys }) => Object.values(keys)),
  });
}
