import type { Facts } from '../catalog/condition.ts';
import type { LocatedFinding, Verdict } from '../judge/judge.ts';
import { type Outcome, worst } from '../judge/outcome.ts';
import { shownOfPool } from '../report/build-report.ts';
import type { CaseReport, ExchangeReport, FindingReport, ObligationReport } from '../report/report.ts';

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
  readonly add: (entry: Entry) => void;
  /** What a recording itself says of an obligation, in the place of what its exchanges show. */
  readonly state: (of: TallyCase, obligation: ObligationReport) => void;
  /** The cases in the order in which each first came. */
  readonly cases: () => CaseReport[];
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

/** One exchange with an occasion to judge it is enough for what speaks of all. */
const decisive: readonly Outcome[] = ['violates', 'warns', 'conforms', 'inconclusive', 'not-applicable'];

export function makeTally(): Tally {
  const open = new Map<string, OpenCase>();

  function sumOf(of: TallyCase, requirement: string, summing: Summing): { item: OpenCase; sum: Sum } {
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

  return {
    add({ of, requirement, summing, verdict, describe }) {
      const { item, sum } = sumOf(of, requirement, summing);
      sum.outcomes.add(verdict.outcome);
      sum.reason ??= verdict.reason;
      sum.add ??= verdict.add;
      for (const located of verdict.findings) {
        const wrong = whatIsWrong(located);
        if (sum.findings.size >= shownOfPool || sum.findings.has(wrong)) continue;
        const { finding, exchange } = describe(located);
        sum.findings.set(wrong, finding);
        if (item.exchanges.size < shownOfPool) item.exchanges.set(exchange.id, exchange);
      }
    },
    state(of, obligation) {
      sumOf(of, obligation.requirement, 'worst').sum.stated = obligation;
    },
    cases: () => [...open.values()].map(close),
  };
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
  const outcome =
    sum.summing === 'worst'
      ? worst(outcomes)
      : (decisive.find((item) => sum.outcomes.has(item)) ?? 'not-applicable');
  const isBroken = outcome === 'violates' || outcome === 'warns';
  const isOpen = outcome === 'inconclusive' || outcome === 'not-applicable';
  return {
    requirement,
    outcome,
    findings: isBroken ? [...sum.findings.values()] : [],
    ...(isOpen && sum.reason !== undefined && { reason: sum.reason }),
    ...(isOpen && sum.add !== undefined && { add: sum.add }),
  };
}
