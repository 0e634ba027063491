import type { Requirement } from '../catalog/requirements.ts';
import type { Attribution } from '../evidence/attribution.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { JudgeContext } from './check-response.ts';
import { judgeExchange, judgeRequirement, type Verdict } from './judge-requirement.ts';
import { isFailed, isKept } from './outcome.ts';
import { judgeInconclusive } from './preconditions.ts';

/**
 * What a source knows about the causes of a response: a run from its controls, recorded traffic from the calls around it.
 */
export interface Evidence<Item> {
  /** Returns why a check that does not conform may not be the gateway's doing; undefined if nothing else explains it. */
  readonly doubt: (item: Item, requirement: Requirement, verdict: Verdict) => Attribution | undefined;
}

export interface Decision {
  readonly verdict: Verdict;
  /** The doubt that made the verdict inconclusive, and the verdict without it. */
  readonly doubt?: (Attribution & { readonly verdict: Verdict }) | undefined;
}

/**
 * Judges a requirement by the exchanges of one case to which it applies. An exchange in doubt violates nothing, but the
 * others still can. `judgeOne` judges a single exchange.
 */
export function decide<Item extends { readonly exchange: Exchange }>(
  requirement: Requirement,
  items: readonly Item[],
  evidence: Evidence<Item>,
  context: JudgeContext,
  judgeOne: typeof judgeExchange = judgeExchange,
): Decision {
  const judge = (judged: readonly Item[]): Verdict => {
    const [first] = judged;
    if (first && judged.length === 1) return judgeOne(requirement, first.exchange, context);
    return judgeRequirement(
      requirement,
      judged.map(({ exchange }) => exchange),
      context,
    );
  };
  const verdict = judge(items);
  if (isKept(verdict.outcome)) return { verdict };
  const doubts = items.map((item) => evidence.doubt(item, requirement, verdict));
  const doubt = doubts.find((found) => found !== undefined);
  if (doubt === undefined) return { verdict };
  const others = items.filter((_, index) => doubts[index] === undefined);
  const rest = others.length > 0 ? judge(others) : undefined;
  return rest && isFailed(rest.outcome)
    ? { verdict: rest }
    : { verdict: judgeInconclusive(doubt.reason), doubt: { ...doubt, verdict } };
}
