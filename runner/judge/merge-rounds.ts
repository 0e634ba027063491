import type { Exchange } from '../exchange/exchange.ts';
import type { JudgedCase } from './judge-cases.ts';
import type { LocatedFinding, Verdict } from './judge-requirement.ts';
import { findWorstOutcome, isUnstable, type Outcome } from './outcome.ts';
import type { JudgedCheck } from './preconditions.ts';
import { createResults, type Results } from './results.ts';

/** A case with its merged checks and its outcome in each round. */
export interface RepeatedCase extends JudgedCase {
  /** The outcome of each round that has the case, in the order of the rounds. */
  readonly outcomes: readonly Outcome[];
  /** Whether a `must` was satisfied in one round and violated in another. */
  readonly unstable: boolean;
}

/** The maximum number of exchanges that a case keeps from the rounds after the first. */
const mostLaterExchanges = 10;
/** Later rounds add findings to a check only up to this number of findings. */
const mostFindings = 1_000;

/**
 * Merges the rounds of a run. For each case, keeps the worst outcome of each check with its findings, and the
 * exchanges of the first round. From later rounds, keeps at most 10 exchanges with findings for each case.
 */
export interface Rounds {
  readonly add: (round: readonly JudgedCase[]) => void;
  /** Returns the cases of the last round, with their outcomes in all rounds. */
  readonly cases: () => RepeatedCase[];
}

/** Creates `Rounds` without cases. Pass the cases of each round to `add`. */
export function createRounds(): Rounds {
  const merged = new Map<string, MergedCase>();
  let order: readonly string[] = [];
  let number = 0;
  return {
    add(round) {
      number += 1;
      order = round.map(({ planned }) => planned.id);
      for (const item of round) {
        const named = number === 1 ? item : addRoundToIds(item, number);
        const before = merged.get(item.planned.id);
        merged.set(item.planned.id, before ? mergeCase(before, named) : startMerge(named));
      }
    },
    cases: () => order.flatMap((id) => finishMerge(merged.get(id))),
  };
}

interface MergedCase {
  readonly first: JudgedCase;
  /** The exchanges with findings of the rounds after the first. */
  readonly later: readonly Exchange[];
  /** The results of each check; undefined if only one round has the case. */
  readonly checks: readonly Results<LocatedFinding>[] | undefined;
  readonly outcomes: readonly Outcome[];
}

function startMerge(first: JudgedCase): MergedCase {
  return { first, later: [], checks: undefined, outcomes: [first.outcome] };
}

function startResults({ verdict }: JudgedCheck): Results<LocatedFinding> {
  const results = createResults<LocatedFinding>('worst', Math.max(mostFindings, verdict.findings.length));
  addVerdict(results, verdict);
  return results;
}

function mergeCase({ first, later, outcomes, ...before }: MergedCase, item: JudgedCase): MergedCase {
  const checks = before.checks ?? first.checks.map(startResults);
  for (const [index, results] of checks.entries()) {
    const verdict = item.checks[index]?.verdict;
    if (verdict) addVerdict(results, verdict);
  }
  const found = new Set(checks.flatMap((results) => results.sum().findings.map(({ exchange }) => exchange)));
  const kept = found.size === 0 ? [] : [...later, ...item.exchanges].filter(({ id }) => found.has(id));
  return {
    first,
    later: kept.slice(0, mostLaterExchanges),
    checks,
    outcomes: [...outcomes, item.outcome],
  };
}

function addVerdict(results: Results<LocatedFinding>, verdict: Verdict): void {
  results.add(
    verdict,
    (located) => located,
    // Without an exchange, every round finds the same.
    ({ exchange, finding }) => (exchange === '' ? JSON.stringify(finding) : undefined),
  );
}

function finishMerge(item: MergedCase | undefined): RepeatedCase[] {
  if (!item) return [];
  const { first, later, checks, outcomes } = item;
  const merged = first.checks.map(({ check, verdict }, index): JudgedCheck => {
    const sum = checks?.[index]?.sum();
    return { check, verdict: sum ? { ...sum, reason: sum.reason } : verdict };
  });
  return [
    {
      planned: first.planned,
      exchanges: [...first.exchanges, ...later],
      checks: merged,
      outcome: findWorstOutcome(merged.map(({ verdict }) => verdict.outcome)),
      outcomes,
      unstable: (checks ?? []).some((results) => isUnstable(results.outcomes())),
    },
  ];
}

function addRoundToIds(item: JudgedCase, round: number): JudgedCase {
  // Only exchanges with findings are kept.
  if (item.checks.every(({ verdict }) => verdict.findings.every(({ exchange }) => exchange === '')))
    return { ...item, exchanges: [] };
  const name = (id: string): string => `${id}@${round}`;
  return {
    ...item,
    exchanges: item.exchanges.map((exchange): Exchange => ({ ...exchange, id: name(exchange.id) })),
    checks: item.checks.map(({ check, verdict }) => ({
      check,
      verdict: {
        ...verdict,
        findings: verdict.findings.map(({ exchange, finding }) => ({ exchange: name(exchange), finding })),
      },
    })),
  };
}
