import { type Execution, listExchanges } from '../evidence/controls.ts';
import { type Exchange, succeeded } from '../exchange/exchange.ts';
import type { Stop } from '../exchange/stop.ts';
import type { JudgedCase } from '../judge/judge-cases.ts';
import type { RepeatedCase } from '../judge/merge-rounds.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type CaseState, type Coverage, measureCoverage } from '../plan/coverage.ts';
import type { Estimate } from '../plan/estimate.ts';
import type { FuzzOptions } from '../plan/generated/fuzz.ts';
import { hasChecks, type PlannedCase } from '../plan/plan.ts';
import type { DividedShard } from '../plan/select.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import type { AggregatedModels } from './aggregate-models.ts';
import { buildCaseReport, findUnsteadyRequests, observeOpenPoints } from './case-report.ts';
import { type DescribeContext, describeExchange } from './describe-exchange.ts';
import { countDeviations, settleDeviations } from './deviations-report.ts';
import { type DiagnoseContext, diagnose, withoutRepetitions } from './diagnose.ts';
import { redactAll, redactRest } from './redaction/redact.ts';
import type { Diagnosis, Observation, Report } from './report.ts';
import { summarize } from './summarize.ts';

export interface ReportParts extends DescribeContext {
  readonly promise: GatewayPromise;
  readonly tool: Report['tool'];
  readonly judged: readonly RepeatedCase[];
  readonly rounds: readonly RoundSummary[];
  readonly estimate: Estimate;
  readonly sent: number;
  /** The number of calls that the gateway may have billed. */
  readonly billed: number;
  /** The start of the run, in milliseconds since 1970-01-01 UTC. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly stopped: Stop | undefined;
  readonly shard: DividedShard | undefined;
  /** The results of listed models; undefined if the run did not test listed models. */
  readonly models: AggregatedModels | undefined;
  /** The coverage; undefined if the run has only a part of the planned cases. */
  readonly coverage: Coverage | undefined;
  readonly fuzz: FuzzOptions | undefined;
  /** Whether the user selected suites, cases or requirements. */
  readonly isSelection: boolean;
  /**
   * Whether the report contains exchanges even if every case conforms or is not applicable. Describing exchanges
   * takes time, since keys are redacted.
   */
  readonly needsExchanges: boolean;
}

/** The content of a report from one round, except the cases. */
export interface RoundSummary {
  readonly diagnosis: readonly Diagnosis[];
  readonly unsteady: readonly Observation[];
  /**
   * The exchanges that are not judged with a case, such as controls that were sent again. Later rounds contribute only
   * failed or retried requests of this kind.
   */
  readonly others: readonly Exchange[];
}

/** Returns the content of a report from one judged round, except the cases. `isFirst` is true for the first round. */
export function summarizeRound(
  { execution, judged }: { readonly execution: Execution; readonly judged: readonly JudgedCase[] },
  { isFirst, ...context }: DiagnoseContext & { readonly isFirst: boolean },
): RoundSummary {
  const shown = new Set(judged.filter(({ planned }) => hasChecks(planned)).map(({ planned }) => planned.id));
  const unshown = [...execution.exchanges].flatMap(([id, exchanges]) => (shown.has(id) ? [] : exchanges));
  return {
    diagnosis: diagnose(execution, context),
    unsteady: findUnsteadyRequests(listExchanges(execution)),
    // All recorded exchanges of the first round are kept, so that the HAR file of a run can be judged again.
    others: isFirst ? [...execution.others, ...unshown] : execution.others.filter(wentWrong),
  };
}

function wentWrong({ result, earlier }: Exchange): boolean {
  return !succeeded(result) || earlier.length > 0;
}

/**
 * If all cases of the suites have one of these outcomes, their exchanges are omitted, except with `needsExchanges`.
 */
const uneventful: readonly Outcome[] = ['conforms', 'deviates', 'not-applicable'];

/**
 * Returns the report of a run, with keys redacted and without a baseline. The cases are in the order of the plan. The
 * cases of listed models follow.
 */
export function buildReport(parts: ReportParts): Report {
  const { promise, judged, redact, rounds, models } = parts;
  const showsExchanges = parts.needsExchanges || judged.some(({ outcome }) => !uneventful.includes(outcome));
  const own = judged
    .filter(({ planned }) => hasChecks(planned))
    .map((item) => buildCaseReport(item, parts, { showsExchanges }));
  const cases = settleDeviations([...own, ...(models?.cases ?? [])], promise);
  const deviations = countDeviations(cases, promise);
  const { verdict, summary, suite, requirements } = summarize(promise, cases, models?.report);
  return {
    schemaVersion: 1,
    tool: parts.tool,
    spec: { revision: promise.revision, sections: promise.sections },
    target: {
      baseUrl: parts.baseUrl,
      ...(Object.keys(parts.keyVariables).length > 0 && { keyVariables: parts.keyVariables }),
    },
    startedAt: new Date(parts.startedAt).toISOString(),
    durationMs: Math.round(parts.durationMs),
    verdict,
    // Messages quote responses that were first redacted and then truncated.
    diagnosis: redactAll(withoutRepetitions(rounds.flatMap((round) => round.diagnosis)), redactRest(redact)),
    stopped: redactAll(parts.stopped ?? null, redactRest(redact)),
    shard: parts.shard ?? null,
    rounds: rounds.length,
    ...(parts.fuzz && { fuzz: parts.fuzz }),
    baseline: null,
    ...(deviations && { deviations }),
    requests: { ...parts.estimate, sent: parts.sent, billed: parts.billed },
    summary,
    suite: { ...suite, isSelection: parts.isSelection },
    ...(parts.coverage && { coverage: parts.coverage }),
    requirements,
    cases,
    others: showsExchanges
      ? rounds.flatMap((round) => round.others).map((exchange) => describeExchange(exchange, parts))
      : [],
    observations: [
      ...judged.flatMap(observeOpenPoints),
      ...rounds.flatMap((round) => round.unsteady),
      ...(models?.unsteady ?? []),
    ].map((item) => ({ ...item, seen: redact(item.seen) })),
    ...(models && { models: models.report }),
  };
}

/** Counts the combinations of values in the judged cases. */
export function measureCases(
  promise: GatewayPromise,
  judged: readonly { readonly planned: PlannedCase; readonly outcome: Outcome }[],
): Coverage {
  const states = new Map(judged.map(({ planned, outcome }) => [planned, stateOfOutcome[outcome]]));
  return measureCoverage(promise, [...states.keys()], (item) => states.get(item) ?? 'not-judged');
}

const stateOfOutcome: Readonly<Record<Outcome, CaseState>> = {
  conforms: 'judged',
  deviates: 'judged',
  warns: 'judged',
  violates: 'judged',
  inconclusive: 'not-judged',
  'not-applicable': 'not-applicable',
};
