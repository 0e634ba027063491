import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { Catalog } from './catalog/catalog.ts';
import { speaksOfOne } from './catalog/expectation.ts';
import { packageInfo } from './catalog/package-info.ts';
import { assess } from './judge/assess.ts';
import type { JudgeContext } from './judge/check.ts';
import { check } from './judge/check.ts';
import { estimate } from './plan/estimate.ts';
import { type PlannedCase, plan } from './plan/plan.ts';
import { type SelectedPlan, type Selection, select } from './plan/select.ts';
import { modelOperation, type Profile } from './profile/profile.ts';
import { buildReport } from './report/build-report.ts';
import { makeRedact } from './report/redact.ts';
import type { Report } from './report/report.ts';
import { type BuildContext, profileModel } from './send/build-request.ts';
import { type Controls, makeControls } from './send/controls.ts';
import type { Sender } from './send/deliver.ts';
import { answerOf, type Exchange } from './send/exchange.ts';
import { execute, waitForGateway } from './send/execute.ts';
import { type Limits, openTransport, type Transport } from './send/http.ts';
import { makeKeys, truncatedLength } from './send/keys.ts';
import { defaultPatience, makePace, type Patience } from './send/pace.ts';

export interface RunOptions {
  readonly selection: Selection;
  readonly concurrency: number;
  readonly limits: Limits;
  /** How long to wait for a gateway that is still starting, in milliseconds. */
  readonly waitMs: number;
  /** How often and how long a request that met 429, 5xx or no answer is sent again; the usual where it isn't given. */
  readonly patience?: Patience;
  /** Another way to the gateway than HTTP, such as to one in the same process; closed when the run is over. */
  readonly transport?: Transport;
  /** What `prepare` made of an equal profile earlier, where many targets are judged. */
  readonly prepared?: Prepared;
  readonly signal?: AbortSignal | undefined;
  /** Told how far the run is: requests sent of those planned. */
  readonly onProgress?: (sent: number, planned: number) => void;
}

/** The cases of a run, before anything is sent. */
export type Prepared = SelectedPlan & { readonly estimate: ReturnType<typeof estimate> };

/** Plans a run and limits it to the selection; throws UsageError where a name in it matches nothing. */
export function prepare(catalog: Catalog, profile: Profile, selection: Selection): Prepared {
  const selected = select(plan(catalog, profile), selection);
  return { ...selected, estimate: estimate(selected.sent, profile.rateLimit?.requests ?? 0) };
}

/** Judges a gateway: plans, sends, judges, and gives the report. */
export async function run(catalog: Catalog, profile: Profile, options: RunOptions): Promise<Report> {
  const prepared = options.prepared ?? prepare(catalog, profile, options.selection);
  const keys = makeKeys(profile.keys);
  const controls = makeControls();
  const context = buildContext(catalog, profile, keys, controls);
  const transport =
    options.transport ??
    openTransport(profile.baseUrl, {
      connections: options.concurrency,
      limits: options.limits,
      signal: options.signal,
    });
  let sent = 0;
  const sender: Sender = {
    transport,
    context,
    pace: makePace(options.patience ?? defaultPatience, options.signal),
    onExchange: (exchange) => {
      sent += 1 + exchange.earlier.length;
      options.onProgress?.(sent, prepared.estimate.requests);
    },
  };
  // As many requests as may wait at once also listen for an interruption.
  if (options.signal) setMaxListeners(0, options.signal);
  const startedAt = Date.now();
  const start = performance.now();
  try {
    if (options.waitMs > 0) await waitForGateway(sender, options.waitMs);
    const judging: JudgeContext = { catalog, unlistedModel: context.unlistedModel, goodModels: [] };
    const execution = await execute(prepared.sent, sender, controls, {
      concurrency: options.concurrency,
      signal: options.signal,
      isDue: (item, step, exchange) => isDue(item, step, exchange, judging),
    });
    const judged = assess(prepared.plan, execution, {
      ...judging,
      goodModels: goodModels(execution.exchanges),
    });
    return buildReport({
      catalog,
      tool: packageInfo,
      judged,
      execution,
      estimate: prepared.estimate,
      sent,
      startedAt,
      durationMs: performance.now() - start,
      interrupted: options.signal?.aborted === true,
      baseUrl: profile.baseUrl,
      redact: makeRedact(keys.secrets),
      cut: profile.keys.valid.length - truncatedLength(profile.keys.valid),
    });
  } finally {
    await transport.close();
  }
}

/** What requests of a run are built with. */
export function buildContext(
  catalog: Catalog,
  profile: Profile,
  keys: BuildContext['keys'],
  controls: Controls,
): BuildContext {
  return {
    catalog,
    profile,
    keys,
    unlistedModel: `conformance-unlisted-${randomUUID()}`,
    userAgent: `${packageInfo.name}/${packageInfo.version}`,
    workingHeader: (operation) => {
      const own = controls.plain.get(operation);
      const other = own?.kind === 'succeeded' ? own : controls.plain.get(catalog.operations[operation].plain);
      const any = [...controls.plain.values()].find(
        (control) => control.kind === 'succeeded' && control.header !== 'x-goog-api-key',
      );
      const found = other?.kind === 'succeeded' ? other : any;
      return found?.kind === 'succeeded' ? found.header : undefined;
    },
    model: (operation, kind) => {
      const stated = profileModel(profile, operation, kind);
      if (stated !== undefined) return stated;
      if (kind === 'mismatched') return familyBModel(controls);
      const calls = modelOperation(operation);
      return calls && kind === 'good' ? controls.models.get(calls) : undefined;
    },
  };
}

/** A model of family B whose ID says so is one that responses must refuse. */
function familyBModel(controls: Controls): string | undefined {
  const model = controls.models.get('messages');
  return controls.plain.get('messages')?.kind === 'succeeded' && model?.toLowerCase().includes('claude')
    ? model
    : undefined;
}

/** A 429 is never due: where it is, in a burst, nothing is repeated. */
function isDue(
  item: PlannedCase,
  step: number,
  { facts, model, request, result }: Pick<Exchange, 'facts' | 'model' | 'request' | 'result'>,
  context: JudgeContext,
): boolean {
  if (result.kind === 'failure' || result.answer.status === 429) return false;
  const own = item.obligations.filter(
    ({ steps, requirement }) => steps.includes(step) && speaksOfOne(requirement.then),
  );
  const seen = {
    id: item.id,
    facts,
    model,
    request,
    result,
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
  return (
    own.length > 0 &&
    own.every(({ requirement }) => check(requirement.then, seen, result.answer, context).kind === 'holds')
  );
}

function goodModels(exchanges: ReadonlyMap<string, readonly Exchange[]>): string[] {
  const called = [...exchanges.values()].flat().filter((exchange) => {
    const status = answerOf(exchange)?.status ?? 0;
    return (
      exchange.facts.model === 'good' &&
      exchange.facts.request === 'valid' &&
      exchange.facts.key === 'good' &&
      status >= 200 &&
      status < 300
    );
  });
  return [...new Set(called.flatMap(({ model }) => (model === undefined ? [] : [model])))];
}
