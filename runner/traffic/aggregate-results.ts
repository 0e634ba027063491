import type { Attributes } from '../catalog/condition.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { LocatedFinding, Verdict } from '../judge/judge-requirement.ts';
import {
  findDecisiveOutcome,
  findWorstOutcome,
  isFailed,
  isUndecided,
  type Outcome,
} from '../judge/outcome.ts';
import { findMostSevere, type Severity } from '../judge/severity.ts';
import type { CaseReport, CheckReport, ExchangeReport, FindingReport } from '../report/report.ts';
import { maxPooledExamples } from '../report/select-examples.ts';

/** A case of a traffic report: a group of exchanges with the same selected attributes, or a case of a suite. */
export interface TrafficCase {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly attributes: Attributes;
}

/** The outcome that counts for a check on several exchanges: the worst outcome, or the most decisive outcome. */
export type Aggregation = 'worst' | 'most-decisive';

/** The result of a check, on one exchange or on several compared exchanges. */
export interface TrafficCheckResult {
  readonly trafficCase: TrafficCase;
  readonly requirement: string;
  readonly aggregation: Aggregation;
  readonly verdict: Verdict;
  /** Describes a finding for the report. Called only for findings that the aggregator stores. */
  readonly describe: (finding: LocatedFinding) => NewFinding;
}

/**
 * Aggregates results by case and requirement. Memory grows with the number of cases, not with the number of exchanges.
 */
export interface ResultAggregator {
  /** Adds a result. Returns the findings that were stored; undefined if the report has no room for the case. */
  readonly add: (result: TrafficCheckResult) => readonly NewFinding[] | undefined;
  /**
   * Sets the result that a recording states for a check, instead of the result of the exchanges. Does nothing if the
   * report has no room for the case.
   */
  readonly setResult: (trafficCase: TrafficCase, check: CheckReport) => void;
  /** Returns the cases in order of first appearance. The results in `late` are added only to the returned cases. */
  readonly cases: (late: readonly TrafficCheckResult[]) => CaseReport[];
}

/** A finding and its exchange, in the form of the report. */
export interface NewFinding {
  readonly finding: FindingReport;
  readonly exchange: ExchangeReport;
}

interface OpenCheck {
  readonly outcomes: Set<Outcome>;
  readonly aggregation: Aggregation;
  /** The first finding of each kind of problem, for at most `maxPooledExamples` kinds. */
  readonly findings: Map<string, FindingReport>;
  /** The severities of the failures, stored or not. */
  readonly severities: Set<Severity>;
  reason: string | undefined;
  add: string | undefined;
  recordedResult: CheckReport | undefined;
}

interface OpenCase {
  readonly trafficCase: TrafficCase;
  readonly checks: Map<string, OpenCheck>;
  readonly exchanges: Map<string, ExchangeReport>;
}

/**
 * The maximum number of cases in a report of traffic. In practice, only a recording that states case IDs reaches this
 * number.
 */
export const maxCases = 10_000;

export function createResultAggregator(): ResultAggregator {
  const open = new Map<string, OpenCase>();
  return {
    add: (result) => (hasRoom(open, result.trafficCase) ? addResult(open, result) : undefined),
    setResult(trafficCase, check) {
      if (hasRoom(open, trafficCase))
        openCheck(open, trafficCase, check.requirement, 'worst').check.recordedResult = check;
    },
    cases(late) {
      const all = new Map([...open].map(([id, item]) => [id, copyCase(item)]));
      for (const result of late) if (hasRoom(all, result.trafficCase)) addResult(all, result);
      return [...all.values()].map(buildCaseReport);
    },
  };
}

function hasRoom(open: ReadonlyMap<string, OpenCase>, { id }: TrafficCase): boolean {
  return open.size < maxCases || open.has(id);
}

const noFindings: readonly NewFinding[] = [];

function addResult(
  open: Map<string, OpenCase>,
  { trafficCase, requirement, aggregation, verdict, describe }: TrafficCheckResult,
): readonly NewFinding[] {
  const { item, check } = openCheck(open, trafficCase, requirement, aggregation);
  check.outcomes.add(verdict.outcome);
  check.reason ??= verdict.reason;
  check.add ??= verdict.add;
  if (verdict.findings.length === 0) return noFindings;
  if (verdict.severity !== undefined) check.severities.add(verdict.severity);
  const added: NewFinding[] = [];
  for (const located of verdict.findings) {
    const problem = `${verdict.severity} ${identifyProblem(located)}`;
    if (check.findings.size >= maxPooledExamples || check.findings.has(problem)) continue;
    const described = describe(located);
    added.push(described);
    check.findings.set(problem, described.finding);
    // For each failed requirement, the report contains the exchange of at least one finding.
    if (item.exchanges.size < maxPooledExamples || check.findings.size === 1)
      item.exchanges.set(described.exchange.id, described.exchange);
  }
  return added;
}

function openCheck(
  open: Map<string, OpenCase>,
  trafficCase: TrafficCase,
  requirement: string,
  aggregation: Aggregation,
): { readonly item: OpenCase; readonly check: OpenCheck } {
  let item = open.get(trafficCase.id);
  if (!item) {
    item = { trafficCase, checks: new Map(), exchanges: new Map() };
    open.set(trafficCase.id, item);
  }
  let check = item.checks.get(requirement);
  if (!check) {
    check = {
      outcomes: new Set(),
      aggregation,
      findings: new Map(),
      severities: new Set(),
      reason: undefined,
      add: undefined,
      recordedResult: undefined,
    };
    item.checks.set(requirement, check);
  }
  return { item, check };
}

function copyCase({ trafficCase, checks, exchanges }: OpenCase): OpenCase {
  const copied = [...checks].map(([id, check]): [string, OpenCheck] => [
    id,
    {
      ...check,
      outcomes: new Set(check.outcomes),
      findings: new Map(check.findings),
      severities: new Set(check.severities),
    },
  ]);
  return { trafficCase, checks: new Map(copied), exchanges: new Map(exchanges) };
}

/** Returns the same key for findings that differ only in the members of `receivedValues`. */
function identifyProblem({ finding }: LocatedFinding): string {
  return JSON.stringify(finding, (name, value) => (receivedValues.includes(name) ? undefined : value));
}

const receivedValues = ['actual', 'value', 'values', 'message', 'times', 'model'];

function buildCaseReport({ trafficCase, checks: openChecks, exchanges }: OpenCase): CaseReport {
  const checks = [...openChecks].map(
    ([requirement, check]) => check.recordedResult ?? buildCheckReport(requirement, check),
  );
  return {
    ...trafficCase,
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    checks,
    exchanges: [...exchanges.values()],
  };
}

function buildCheckReport(requirement: string, check: OpenCheck): CheckReport {
  const outcomes = [...check.outcomes];
  const outcome = check.aggregation === 'worst' ? findWorstOutcome(outcomes) : findDecisiveOutcome(outcomes);
  const isOpen = isUndecided(outcome);
  return {
    requirement,
    outcome,
    findings: isFailed(outcome) ? [...check.findings.values()] : [],
    ...(isFailed(outcome) && { severity: findMostSevere([...check.severities]) }),
    ...(isOpen && check.reason !== undefined && { reason: check.reason }),
    ...(isOpen && check.add !== undefined && { add: check.add }),
  };
}

/** A failed requirement, with a finding and its exchange. */
export interface TrafficFailure extends NewFinding {
  readonly requirement: Pick<Requirement, 'id' | 'clause' | 'says'>;
  readonly outcome: 'violates' | 'warns';
}

/**
 * Returns one failure for each finding in `added`. Returns an empty list if the requirement did not fail or is unknown.
 */
export function listFailures(
  { requirement: id, verdict: { outcome } }: TrafficCheckResult,
  added: readonly NewFinding[],
  requirements: ReadonlyMap<string, Requirement>,
): TrafficFailure[] {
  const requirement = requirements.get(id);
  if (!requirement || !isFailed(outcome)) return [];
  return added.map((finding) => ({ ...finding, requirement, outcome }));
}
