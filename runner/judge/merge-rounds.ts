import type { Exchange } from '../send/exchange.ts';
import type { JudgedCase, JudgedObligation } from './assess.ts';
import type { Verdict } from './judge.ts';
import { isUnstable, type Outcome, worst } from './outcome.ts';

/** A case with what became of it each time that it was sent. */
export interface RepeatedCase extends JudgedCase {
  /** One for each round in which it was sent, in their order. */
  readonly outcomes: readonly Outcome[];
  /** A `must` was kept in one round and broken in another. */
  readonly unstable: boolean;
}

/** The most exchanges of later rounds that a case keeps of those its findings point to. */
const keptOfLaterRounds = 10;

/**
 * Makes one of the rounds of a repeated run, the last of which has every case: the worst outcome of every obligation,
 * what was found in any round, and the exchanges of the first round beside those found at fault.
 */
export function mergeRounds(rounds: readonly (readonly JudgedCase[])[]): RepeatedCase[] {
  const named = rounds.map((round, number) =>
    round.map((item) => (number === 0 ? item : inRound(item, number + 1))),
  );
  const byId = named.map((round) => new Map(round.map((item) => [item.planned.id, item])));
  return (named.at(-1) ?? []).map((item) => {
    const own = byId.flatMap((round) => round.get(item.planned.id) ?? []);
    return mergeCase(own[0] ?? item, ...own.slice(1));
  });
}

function mergeCase(first: JudgedCase, ...later: readonly JudgedCase[]): RepeatedCase {
  const rounds = [first, ...later];
  const verdicts = first.obligations.map((_, index) =>
    rounds.flatMap(({ obligations }) => (obligations[index] ? [obligations[index].verdict] : [])),
  );
  const obligations = first.obligations.map(
    ({ obligation }, index): JudgedObligation => ({
      obligation,
      verdict: mergeVerdicts(verdicts[index] ?? []),
    }),
  );
  const found = new Set(
    obligations.flatMap(({ verdict }) => verdict.findings.map(({ exchange }) => exchange)),
  );
  const kept = later.flatMap(({ exchanges }) => exchanges.filter(({ id }) => found.has(id)));
  return {
    planned: first.planned,
    exchanges: [...first.exchanges, ...kept.slice(0, keptOfLaterRounds)],
    obligations,
    outcome: worst(obligations.map(({ verdict }) => verdict.outcome)),
    outcomes: rounds.map(({ outcome }) => outcome),
    unstable: verdicts.some((own) => isUnstable(own.map(({ outcome }) => outcome))),
  };
}

function mergeVerdicts(verdicts: readonly Verdict[]): Verdict {
  const outcome = worst(verdicts.map((verdict) => verdict.outcome));
  const alike = verdicts.filter((verdict) => verdict.outcome === outcome);
  const findings = alike.flatMap((verdict) => verdict.findings);
  return { outcome, findings, reason: alike[0]?.reason, add: alike[0]?.add };
}

/** The case with the ids of its exchanges told apart from those of other rounds. */
function inRound(item: JudgedCase, round: number): JudgedCase {
  const name = (id: string): string => `${id}@${round}`;
  return {
    ...item,
    exchanges: item.exchanges.map((exchange): Exchange => ({ ...exchange, id: name(exchange.id) })),
    obligations: item.obligations.map(({ obligation, verdict }) => ({
      obligation,
      verdict: {
        ...verdict,
        findings: verdict.findings.map(({ exchange, finding }) => ({ exchange: name(exchange), finding })),
      },
    })),
  };
}
