import type { Exchange } from '../exchange/exchange.ts';
import type { JudgedCase } from './judge-cases.ts';
import type { LocatedFinding, Verdict } from './judge-requirement.ts';
import { findWorstOutcome, isUnstable, type Outcome } from './outcome.ts';
import type { JudgedCheck } from './preconditions.ts';
import { findMostSevere } from './severity.ts';

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
  readonly checks: readonly MergedCheck[];
  readonly outcomes: readonly Outcome[];
}

interface MergedCheck extends JudgedCheck {
  readonly seen: readonly Outcome[];
}

function startMerge(first: JudgedCase): MergedCase {
  const checks = first.checks.map((item) => ({ ...item, seen: [item.verdict.outcome] }));
  return { first, later: [], checks, outcomes: [first.outcome] };
}

function mergeCase({ first, later, checks, outcomes }: MergedCase, item: JudgedCase): MergedCase {
  const merged = checks.map((before, index) => mergeCheck(before, item.checks[index]?.verdict));
  const found = new Set(merged.flatMap(({ verdict }) => verdict.findings.map(({ exchange }) => exchange)));
  const kept = found.size === 0 ? [] : [...later, ...item.exchanges].filter(({ id }) => found.has(id));
  return {
    first,
    later: kept.slice(0, mostLaterExchanges),
    checks: merged,
    outcomes: [...outcomes, item.outcome],
  };
}

function mergeCheck(before: MergedCheck, now: Verdict | undefined): MergedCheck {
  if (!now) return before;
  const known = before.seen.includes(now.outcome);
  // Without an exchange, every round finds the same.
  if (known && now.findings.every(({ exchange }) => exchange === '')) return before;
  return {
    check: before.check,
    verdict: mergeVerdicts(before.verdict, now),
    seen: known ? before.seen : [...before.seen, now.outcome],
  };
}

function mergeVerdicts(before: Verdict, now: Verdict): Verdict {
  const outcome = findWorstOutcome([before.outcome, now.outcome]);
  if (before.outcome !== outcome) return now;
  if (now.outcome !== outcome || now.findings.length === 0) return before;
  return {
    ...before,
    findings: appendFindings(before.findings, now.findings),
    severity: findMostSevere([before.severity ?? 'recommendation', now.severity ?? 'recommendation']),
  };
}

function appendFindings(
  before: readonly LocatedFinding[],
  more: readonly LocatedFinding[],
): LocatedFinding[] {
  return [...before, ...more.slice(0, Math.max(0, mostFindings - before.length))];
}

function finishMerge(item: MergedCase | undefined): RepeatedCase[] {
  if (!item) return [];
  const { first, later, checks, outcomes } = item;
  return [
    {
      planned: first.planned,
      exchanges: [...first.exchanges, ...later],
      checks: checks.map(({ check, verdict }) => ({ check, verdict })),
      outcome: findWorstOutcome(checks.map(({ verdict }) => verdict.outcome)),
      outcomes,
      unstable: checks.some(({ seen }) => isUnstable(seen)),
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
