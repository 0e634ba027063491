import type { Requirement } from '../catalog/requirements.ts';
import type { CaseIdentity } from './case-identity.ts';
import type { LocatedFinding, Verdict } from './judge-requirement.ts';
import { findWorstOutcome, type Outcome } from './outcome.ts';
import { type CheckResult, createResults, type Policy, type Results } from './results.ts';

/** A finding and its exchange, in the form that is stored. */
export interface Shown {
  readonly finding: unknown;
  readonly exchange: { readonly id: string };
}

/** The result of a check by one exchange, or by several compared exchanges. */
export interface NewResult<S extends Shown> {
  readonly of: CaseIdentity;
  readonly requirement: Pick<Requirement, 'id' | 'clause' | 'says'>;
  readonly policy: Policy;
  readonly verdict: Verdict;
  /** Describes a finding. Called only for findings that are stored. */
  readonly describe: (located: LocatedFinding) => S;
}

export type CaseCheck<S extends Shown> = CheckResult<S['finding']> & { readonly requirement: string };

export interface CaseResult<S extends Shown> extends CaseIdentity {
  readonly outcome: Outcome;
  readonly checks: readonly CaseCheck<S>[];
  /** Examples. Each failed requirement has one. */
  readonly exchanges: readonly S['exchange'][];
}

/**
 * Results by case and requirement. Memory grows with the number of cases, not with the number of exchanges.
 */
export interface CaseResults<S extends Shown> {
  /** Adds a result. Returns the findings that were stored; undefined if there is no room for the case. */
  readonly add: (result: NewResult<S>) => readonly S[] | undefined;
  /** Sets the result that a source states for a check, instead of the added ones. Does nothing without room for the case. */
  readonly set: (of: CaseIdentity, check: CaseCheck<S>) => void;
  /** Returns the cases in order of first appearance. The results in `late` are added only to the returned cases. */
  readonly list: (late: readonly NewResult<S>[]) => CaseResult<S>[];
}

interface OpenCheck<S extends Shown> {
  /** Stores the first finding of each kind of problem, for at most `maxPooledExamples` kinds. */
  readonly results: Results<S['finding']>;
  stated: CaseCheck<S> | undefined;
}

interface OpenCase<S extends Shown> {
  readonly of: CaseIdentity;
  readonly checks: Map<string, OpenCheck<S>>;
  readonly exchanges: Map<string, S['exchange']>;
}

/**
 * The maximum number of cases. In practice, only a recording that states case IDs reaches this number.
 */
export const maxCases = 10_000;
/**
 * The maximum number of exchanges that a case of many exchanges shows, unless one example of each problem needs more.
 */
export const maxPooledExamples = 10;

export function createCaseResults<S extends Shown>(): CaseResults<S> {
  const open = new Map<string, OpenCase<S>>();
  return {
    add: (result) => (hasRoom(open, result.of) ? addResult(open, result) : undefined),
    set(of, check) {
      if (hasRoom(open, of)) openCheck(open, of, check.requirement, 'worst').check.stated = check;
    },
    list(late) {
      const all = new Map([...open].map(([id, item]) => [id, copyCase(item)]));
      for (const result of late) if (hasRoom(all, result.of)) addResult(all, result);
      return [...all.values()].map(sumCase);
    },
  };
}

function hasRoom(open: ReadonlyMap<string, unknown>, { id }: CaseIdentity): boolean {
  return open.size < maxCases || open.has(id);
}

function addResult<S extends Shown>(
  open: Map<string, OpenCase<S>>,
  { of, requirement, policy, verdict, describe }: NewResult<S>,
): readonly S[] {
  const { item, check } = openCheck(open, of, requirement.id, policy);
  const added: S[] = [];
  const store = (located: LocatedFinding): S['finding'] => {
    const described = describe(located);
    const isFirst = added.length === 0 && check.results.count(verdict.outcome) === 1;
    if (item.exchanges.size < maxPooledExamples || isFirst)
      item.exchanges.set(described.exchange.id, described.exchange);
    added.push(described);
    return described.finding;
  };
  check.results.add(verdict, store, (located) => `${verdict.severity} ${identifyProblem(located)}`);
  return added;
}

function openCheck<S extends Shown>(
  open: Map<string, OpenCase<S>>,
  of: CaseIdentity,
  requirement: string,
  policy: Policy,
): { readonly item: OpenCase<S>; readonly check: OpenCheck<S> } {
  let item = open.get(of.id);
  if (!item) {
    item = { of, checks: new Map(), exchanges: new Map() };
    open.set(of.id, item);
  }
  let check = item.checks.get(requirement);
  if (!check) {
    check = { results: createResults(policy, maxPooledExamples), stated: undefined };
    item.checks.set(requirement, check);
  }
  return { item, check };
}

function copyCase<S extends Shown>({ of, checks, exchanges }: OpenCase<S>): OpenCase<S> {
  const copied = [...checks].map(([id, { results, stated }]): [string, OpenCheck<S>] => [
    id,
    { results: results.copy(), stated },
  ]);
  return { of, checks: new Map(copied), exchanges: new Map(exchanges) };
}

/** Returns the same key for findings that differ only in the members of `receivedValues`. */
function identifyProblem({ finding }: LocatedFinding): string {
  return JSON.stringify(finding, (name, value) => (receivedValues.includes(name) ? undefined : value));
}

const receivedValues = ['actual', 'value', 'values', 'message', 'times', 'model'];

function sumCase<S extends Shown>({ of, checks: open, exchanges }: OpenCase<S>): CaseResult<S> {
  const checks = [...open].map(
    ([requirement, { results, stated }]): CaseCheck<S> => stated ?? { requirement, ...results.sum() },
  );
  return {
    ...of,
    outcome: findWorstOutcome(checks.map(({ outcome }) => outcome)),
    checks,
    exchanges: [...exchanges.values()],
  };
}
