import type { Attributes } from '../catalog/condition.ts';
import type { Requirement } from '../catalog/requirements.ts';
import type { LocatedFinding, Verdict } from '../judge/judge-requirement.ts';
import { findWorstOutcome, isFailed } from '../judge/outcome.ts';
import { createResults, type Policy, type Results } from '../judge/results.ts';
import type { CaseReport, CheckReport, ExchangeReport, FindingReport } from '../report/report.ts';
import { maxPooledExamples } from '../report/select-examples.ts';

/** A case of a traffic report: a group of exchanges with the same selected attributes, or a case of a suite. */
export interface TrafficCase {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly attributes: Attributes;
}

/** The result of a check, on one exchange or on several compared exchanges. */
export interface TrafficCheckResult {
  readonly trafficCase: TrafficCase;
  readonly requirement: string;
  readonly policy: Policy;
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
  /** Stores the first finding of each kind of problem, for at most `maxPooledExamples` kinds. */
  readonly results: Results<FindingReport>;
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

function addResult(
  open: Map<string, OpenCase>,
  { trafficCase, requirement, policy, verdict, describe }: TrafficCheckResult,
): readonly NewFinding[] {
  const { item, check } = openCheck(open, trafficCase, requirement, policy);
  const added: NewFinding[] = [];
  const store = (located: LocatedFinding): FindingReport => {
    const described = describe(located);
    // For each failed requirement, the report contains the exchange of at least one finding.
    const isFirst = added.length === 0 && check.results.count(verdict.outcome) === 1;
    if (item.exchanges.size < maxPooledExamples || isFirst)
      item.exchanges.set(described.exchange.id, described.exchange);
    added.push(described);
    return described.finding;
  };
  check.results.add(verdict, store, (located) => `${verdict.severity} ${identifyProblem(located)}`);
  return added;
}

function openCheck(
  open: Map<string, OpenCase>,
  trafficCase: TrafficCase,
  requirement: string,
  policy: Policy,
): { readonly item: OpenCase; readonly check: OpenCheck } {
  let item = open.get(trafficCase.id);
  if (!item) {
    item = { trafficCase, checks: new Map(), exchanges: new Map() };
    open.set(trafficCase.id, item);
  }
  let check = item.checks.get(requirement);
  if (!check) {
    check = { results: createResults(policy, maxPooledExamples), recordedResult: undefined };
    item.checks.set(requirement, check);
  }
  return { item, check };
}

function copyCase({ trafficCase, checks, exchanges }: OpenCase): OpenCase {
  const copied = [...checks].map(([id, { results, recordedResult }]): [string, OpenCheck] => [
    id,
    { results: results.copy(), recordedResult },
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
    ([requirement, { results, recordedResult }]) => recordedResult ?? { requirement, ...results.sum() },
  );
  return {
    ...trafficCase,
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    checks,
    exchanges: [...exchanges.values()],
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
