import { randomUUID } from 'node:crypto';
import { packageInfo } from '../../contract/package-info.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { mayBeBilled } from '../execute/budget.ts';
import { makeControls } from '../execute/controls.ts';
import { waitForGateway } from '../execute/execute.ts';
import { buildContext } from '../execute/request-context.ts';
import type { JudgedCase } from '../judge/assess.ts';
import { makeRounds } from '../judge/merge-rounds.ts';
import { addEstimates } from '../plan/estimate.ts';
import { isJudged } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { buildReport, type ClosedRound, closeRound } from '../report/build-report.ts';
import { describeExchange } from '../report/describe-exchange.ts';
import type { Report } from '../report/report.ts';
import { makeDraw } from '../request/unique-name.ts';
import { isHeldBack } from '../transport/exchange.ts';
import type { EngineOptions, RunEvent } from './engine-options.ts';
import { openModels } from './models.ts';
import { prepare } from './prepare.ts';
import { runRound } from './round.ts';
import { openLine, usualConcurrency } from './session.ts';

/** Judges a gateway: plans, sends, judges, and gives the report. */
export async function run(catalog: Catalog, profile: Profile, options: EngineOptions = {}): Promise<Report> {
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
): (profile: Profile) => Pick<EngineOptions, 'seed' | 'otherKeys'> {
  const seed = randomUUID();
  return (profile) => ({
    seed,
    otherKeys: profiles.filter((other) => other !== profile).flatMap(({ keys }) => Object.values(keys)),
  });
}

/**
 * The events of a run as they happen, the report last; to leave the loop early ends the run, and waits for what is
 * under way.
 */
export async function* runEvents(
  catalog: Catalog,
  profile: Profile,
  options: Omit<EngineOptions, 'onEvent'> = {},
): AsyncGenerator<RunEvent, void> {
  const events: RunEvent[] = [];
  let wake = (): void => {};
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  let over = false;
  const running = run(catalog, profile, {
    ...options,
    signal,
    onEvent: (event) => {
      events.push(event);
      wake();
    },
  }).finally(() => {
    over = true;
    wake();
  });
  // Awaited below; until then a failure must not count as unhandled.
  running.catch(() => {});
  try {
    for (;;) {
      const event = events.shift();
      if (event) yield event;
      else if (over) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    await running;
  } finally {
    left.abort();
    await running.catch(() => {});
  }
}
