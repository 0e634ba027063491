import type { Facts } from '../catalog/condition.ts';
import type { LocatedFinding, Verdict } from '../judge/judge.ts';
import { isFailed, mostDecisive, type Outcome, worst } from '../judge/outcome.ts';
import type { CaseReport, ExchangeReport, FindingReport, ObligationReport } from '../report/report.ts';
import { shownOfPool } from '../report/select-examples.ts';

/** What a case of recorded traffic is. */
export interface TallyCase {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly facts: Facts;
}

/** How the outcomes of several exchanges come to one: the worst, or the one that decides most. */
export type Summing = 'worst' | 'most-decisive';

/** What became of one requirement in one case. */
export interface Entry {
  readonly of: TallyCase;
  readonly requirement: string;
  readonly summing: Summing;
  readonly verdict: Verdict;
  /** Makes what is shown of a finding; called for the first ones alone. */
  readonly describe: (finding: LocatedFinding) => {
    readonly finding: FindingReport;
    readonly exchange: ExchangeReport;
  };
}

/** Sums up verdicts by case and requirement, in memory that grows with the kinds of exchanges, not with their number. */
export interface Tally {
  /** Gives what was found for the first time; undefined where there is no room for one more case. */
  readonly add: (entry: Entry) => readonly Found[] | undefined;
  /** What a recording itself says of an obligation, in the place of what its exchanges show. */
  readonly state: (of: TallyCase, obligation: ObligationReport) => void;
  /** The cases as they are when `late` is added, in the order in which each first came. */
  readonly cases: (late: readonly Entry[]) => CaseReport[];
}

/** Something that a tally has not seen before. */
export interface Found {
  readonly finding: FindingReport;
  readonly exchange: ExchangeReport;
}

interface Sum {
  readonly outcomes: Set<Outcome>;
  readonly summing: Summing;
  /** By what is wrong, one example for each. */
  readonly findings: Map<string, FindingReport>;
  reason: string | undefined;
  add: string | undefined;
  stated: ObligationReport | undefined;
}

interface OpenCase {
  readonly of: TallyCase;
  readonly sums: Map<string, Sum>;
  readonly exchanges: Map<string, ExchangeReport>;
}

/** So many cases are told apart; only a recording that names cases of its own can have more. */
const mostCases = 10_000;

export function makeTally(): Tally {
  const open = new Map<string, OpenCase>();
  return {
    add: (entry) => (hasRoom(open, entry.of) ? addTo(open, entry) : undefined),
    state(of, obligation) {
      if (hasRoom(open, of)) sumOf(open, of, obligation.requirement, 'worst').sum.stated = obligation;
    },
    cases(late) {
      const whole = new Map([...open].map(([id, item]) => [id, copyOf(item)]));
      for (const entry of late) if (hasRoom(whole, entry.of)) addTo(whole, entry);
      return [...whole.values()].map(close);
    },
  };
}

function hasRoom(open: ReadonlyMap<string, OpenCase>, { id }: TallyCase): boolean {
  return open.size < mostCases || open.has(id);
}

const nothing: readonly Found[] = [];

function addTo(
  open: Map<string, OpenCase>,
  { of, requirement, summing, verdict, describe }: Entry,
): readonly Found[] {
  const { item, sum } = sumOf(open, of, requirement, summing);
  sum.outcomes.add(verdict.outcome);
  sum.reason ??= verdict.reason;
  sum.add ??= verdict.add;
  if (verdict.findings.length === 0) return nothing;
  const found: Found[] = [];
  for (const located of verdict.findings) {
    const wrong = whatIsWrong(located);
    if (sum.findings.size >= shownOfPool || sum.findings.has(wrong)) continue;
    const one = describe(located);
    found.push(one);
    sum.findings.set(wrong, one.finding);
    // Each requirement that is violated has the evidence of one finding at least.
    if (item.exchanges.size < shownOfPool || sum.findings.size === 1)
      item.exchanges.set(one.exchange.id, one.exchange);
  }
  return found;
}

function sumOf(
  open: Map<string, OpenCase>,
  of: TallyCase,
  requirement: string,
  summing: Summing,
): { readonly item: OpenCase; readonly sum: Sum } {
  let item = open.get(of.id);
  if (!item) {
    item = { of, sums: new Map(), exchanges: new Map() };
    open.set(of.id, item);
  }
  let sum = item.sums.get(requirement);
  if (!sum) {
    sum = {
      outcomes: new Set(),
      summing,
      findings: new Map(),
      reason: undefined,
      add: undefined,
      stated: undefined,
    };
    item.sums.set(requirement, sum);
  }
  return { item, sum };
}

function copyOf({ of, sums, exchanges }: OpenCase): OpenCase {
  const copied = [...sums].map(([id, sum]): [string, Sum] => [
    id,
    { ...sum, outcomes: new Set(sum.outcomes), findings: new Map(sum.findings) },
  ]);
  return { of, sums: new Map(copied), exchanges: new Map(exchanges) };
}

/** A finding without what differs from exchange to exchange. */
function whatIsWrong({ finding }: LocatedFinding): string {
  return JSON.stringify(finding, (name, value) => (received.includes(name) ? undefined : value));
}

const received = ['actual', 'value', 'values', 'message', 'times', 'model'];

function close({ of, sums, exchanges }: OpenCase): CaseReport {
  const obligations = [...sums].map(([requirement, sum]) => sum.stated ?? obligationOf(requirement, sum));
  return {
    ...of,
    outcome: worst(obligations.map(({ outcome }) => outcome)),
    obligations,
    exchanges: [...exchanges.values()],
  };
}

function obligationOf(requirement: string, sum: Sum): ObligationReport {
  const outcomes = [...sum.outcomes];
  const outcome = sum.summing === 'worst' ? worst(outcomes) : mostDecisive(outcomes);
  const isBroken = isFailed(outcome);
  const isOpen = outcome === 'inconclusive' || outcome === 'not-applicable';
  return {
    requirement,
    outcome,
    findings: isBroken ? [...sum.findings.values()] : [],
    ...(isOpen && sum.reason !== undefined && { reason: sum.reason }),
    ...(isOpen && sum.add !== undefined && { add: sum.add }),
  };
}
