import { randomUUID } from 'node:crypto';
import { packageInfo } from '../../common/package-info.ts';
import { type Result, wasNotSent } from '../exchange/exchange.ts';
import { createRounds } from '../judge/merge-rounds.ts';
import { addEstimates } from '../plan/estimate.ts';
import { hasChecks } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { buildReport, measureCases, type RoundSummary, summarizeRound } from '../report/build-report.ts';
import { describeExchange } from '../report/describe-exchange.ts';
import type { ExchangeReport, Report } from '../report/report.ts';
import { createNameSource } from '../request/keys.ts';
import { mayBeBilled } from '../send/budget.ts';
import { openRoundSender, waitForGateway } from '../send/sender.ts';
import { openListedModels } from './models.ts';
import { completeOptions, type EngineOptions } from './options.ts';
import { type PreparedRun, prepare } from './prepare.ts';
import { type CaseListener, type Round, runRound } from './round.ts';
import type { EngineEvent, RunEvent } from './run-event.ts';
import { openSession } from './session.ts';

/** Loads the search for smaller requests with its large package, which few runs need. */
const loadShrink = (): Promise<typeof import('./shrink.ts')> => import('./shrink.ts');

/** Loads what only a run with violations needs. */
const loadReproduce = async () => (await import('./reproduce.ts')).reproduceFailures;

/**
 * Plans a run, sends and judges its cases, and resolves to the report. `planned` is the result of `prepare`, if the
 * caller already has this result. Rejects in the same cases as `prepare`. Also rejects with a `UsageError` if a
 * pattern of `models` matches no listed model, or if the planned billable calls, including those to listed models,
 * exceed `maxBillable`.
 */
export async function runSuite(
  promise: GatewayPromise,
  given: EngineOptions = {},
  planned?: PreparedRun,
): Promise<Report> {
  const options = completeOptions(given);
  const { repeat, onEvent, waitMs } = options;
  const prepared = planned ?? (await prepare(promise, options));
  let { estimate: estimated } = prepared;
  let sent = 0;
  let billed = 0;
  let isReached = false;
  const session = openSession(promise.profile, options, prepared.estimate, (exchange) => {
    if (wasNotSent(exchange)) return;
    const tries = [...exchange.earlier, exchange.result];
    sent += tries.length;
    isReached ||= tries.some(showsConnection);
    billed += tries.filter((result) => mayBeBilled(exchange.attributes, result)).length;
    const describe = (): ExchangeReport => describeExchange(exchange, session.describing);
    onEvent?.({ kind: 'exchange', describe, sent, planned: estimated.requests });
  });
  // Requests that the end of the run cut off may never have had a connection.
  const countBilled = (): number => (isReached ? billed : 0);
  const { connection, keys, describing } = session;
  const { stop } = connection;
  const stopAfter = options.stopAfter ?? (options.bail ? ({ outcome }) => outcome === 'violates' : undefined);
  const onCase: CaseListener = (id, judge) => {
    onEvent?.({ kind: 'case', id, judge: () => judge().outcome });
    if (stopAfter?.(judge()))
      stop.stop({ kind: 'bail', reason: 'The run was stopped at the first violation.' });
  };
  const parts = { promise, keys, connection, onCase: onEvent || stopAfter ? onCase : undefined };
  const startedAt = Date.now();
  const start = performance.now();
  try {
    // If no response arrives, the controls show the reason: a gateway may drop requests to unknown paths.
    if (waitMs > 0) await waitForGateway(openRoundSender(connection, parts), waitMs);
    const { templates } = prepared;
    const models =
      templates && (await openListedModels({ ...parts, prepared, templates, options, describing }));
    estimated = addEstimates(estimated, models?.estimate);
    onEvent?.({
      kind: 'planned',
      cases: prepared.plan.cases.filter(hasChecks).map(({ id }) => id),
      estimate: estimated,
      models: models?.planned,
    });
    const rounds = createRounds();
    const shrink = prepared.fuzz && (await loadShrink()).createShrink(prepared.fuzz.generated);
    const closed: RoundSummary[] = [];
    const mayBill = !options.safe && options.maxBillable === undefined;
    let last: Round | undefined;
    while (closed.length === 0 || (closed.length < repeat && !stop.stopped())) {
      const isFirst = closed.length === 0;
      const round = await runRound({
        ...parts,
        selected: prepared,
        nameSource: createNameSource(options.nameSeed && `${options.nameSeed} ${closed.length}`),
        shrink,
        mayBill,
        isLast: closed.length === repeat - 1,
        before: isFirst ? models?.before : undefined,
      });
      if (isFirst) await models?.finish(round.execution.controls);
      rounds.add(round.judged);
      last = round;
      closed.push(
        summarizeRound(round, {
          ...describing,
          operations: promise.operations,
          errors: promise.errors,
          isFirst,
        }),
      );
    }
    const cases = rounds.cases();
    const report = buildReport({
      ...describing,
      promise,
      tool: packageInfo,
      judged: cases,
      rounds: closed,
      estimate: estimated,
      sent,
      billed: countBilled(),
      startedAt,
      durationMs: performance.now() - start,
      stopped: stop.stopped(),
      shard: prepared.shard,
      models: models?.close(),
      coverage: isWhole(prepared) ? measureCases(promise, cases) : undefined,
      fuzz: prepared.fuzz?.options,
      isSelection: options.suites.length + options.only.length > 0 || options.cases !== undefined,
      needsExchanges: options.needsExchanges ?? true,
    });
    const reproductions =
      last && report.verdict === 'violates' && !report.stopped
        ? await (await loadReproduce())({ ...last, report, cases, describing, mayBill })
        : [];
    const whole: Report = {
      ...report,
      ...(reproductions.length > 0 && { reproductions }),
      // Requests that are sent again take time, and count.
      durationMs: Math.round(performance.now() - start),
      requests: { ...report.requests, sent, billed: countBilled() },
    };
    onEvent?.({ kind: 'report', report: whole });
    return whole;
  } finally {
    await session.close();
  }
}

function isWhole({ plan, whole, shard }: PreparedRun): boolean {
  return shard === undefined && plan.cases.length === whole.cases.length;
}

/**
 * Creates a function that returns options for runs whose reports will be compared. With these options, all runs use the
 * same generated names, such as the unlisted model, and no report contains a key of another gateway.
 */
export function createSharedOptions(
  profiles: readonly Profile[],
): (profile: Profile) => Pick<EngineOptions, 'nameSeed' | 'otherKeys'> {
  const nameSeed = randomUUID();
  return (profile) => ({
    nameSeed,
    otherKeys: profiles.filter((other) => other !== profile).flatMap(({ keys }) => Object.values(keys)),
  });
}

type CaseEvent = { readonly kind: 'case' };
type QueuedEvent = Exclude<EngineEvent, CaseEvent> | Extract<RunEvent, CaseEvent>;

/**
 * Yields each event of a run when the event happens. The last event contains the report. Leaving the loop early
 * aborts the run and waits until the run has ended. `next()` rejects in the same cases as `runSuite`.
 */
export async function* streamRunEvents(
  promise: GatewayPromise,
  options: Omit<EngineOptions, 'onEvent'> = {},
): AsyncGenerator<RunEvent, void> {
  const events: QueuedEvent[] = [];
  let wake = (): void => {};
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let over = false;
  const running = runSuite(promise, {
    ...options,
    signal,
    onEvent: (event) => {
      // The case is judged now: when the consumer reads the event, later responses may have changed the outcome.
      events.push(event.kind === 'case' ? { kind: 'case', id: event.id, outcome: event.judge() } : event);
      wake();
    },
  }).finally(() => {
    over = true;
    wake();
  });
  // `running` is awaited below. Until then, Node.js must not report a rejection as unhandled.
  running.catch(() => {});
  try {
    for (;;) {
      const event = events.shift();
      if (event?.kind === 'exchange') {
        const { describe, ...progress } = event;
        yield { ...progress, exchange: describe() };
      } else if (event) yield event;
      else if (over) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await running;
  } finally {
    left.abort();
    await running.catch(() => {});
  }
}

/** Whether a result shows that a connection to the gateway existed. */
function showsConnection(result: Result): boolean {
  return result.kind === 'answer' || ['reset', 'timeout', 'protocol'].includes(result.failure.reason);
}
