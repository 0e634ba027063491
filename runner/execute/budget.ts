import type { Attributes } from '../catalog/condition.ts';
import { isBillable } from '../plan/estimate.ts';
import { type Result, succeeded } from '../transport/exchange.ts';

/** Limits how many requests of a run a gateway may bill, retries and tries to find a model included. */
export interface Budget {
  /**
   * Whether one more request of these facts may be sent; waits if that depends on requests under way. An extra request is
   * one that is not in the plan, such as a good call that confirms a failure. It counts until `settle` reports that it
   * cost nothing.
   */
  readonly take: (facts: Attributes, isExtra: boolean) => Promise<boolean>;
  /** Returns what was taken if the gateway can't have billed it. */
  readonly settle: (facts: Attributes, isExtra: boolean, result: Result) => void;
}

/** What is wrong with a request that a gateway must refuse. */
type Wrong = 'credential' | 'model' | 'body';

/**
 * A budget of `most` successful model calls, counting those of which the result is unknown; `planned` of them are reserved
 * for the good calls of the plan. When the rest is used up, requests that the gateway must refuse are still sent, one at a
 * time, as long as the gateway has refused all requests that were wrong in the same way: so the budget is exceeded by
 * three calls at most.
 */
export function makeBudget(most: number, planned: number): Budget {
  const spent = { planned: 0, extra: 0 };
  const underWay = { planned: 0, extra: 0 };
  let waiting: (() => void)[] = [];
  const accepted = new Set<Wrong>();
  const shareOf = (facts: Attributes, isExtra: boolean): 'planned' | 'extra' =>
    isExtra || !isBillable(facts) ? 'extra' : 'planned';
  const left = (): number => most - spent.planned - spent.extra - underWay.planned - underWay.extra;
  const leftFor = {
    planned: () => Math.max(left(), planned - spent.planned - underWay.planned),
    extra: () => Math.min(left(), most - planned - spent.extra - underWay.extra),
  };
  return {
    take: async (facts, isExtra) => {
      if (facts.surface !== 'model') return true;
      const share = shareOf(facts, isExtra);
      const wrong = wrongOf(facts);
      const mayStart = (): boolean => {
        if (leftFor[share]() > 0) return true;
        return wrong !== undefined && !accepted.has(wrong) && underWay.extra === 0;
      };
      while (!mayStart() && underWay.planned + underWay.extra > 0)
        await new Promise<void>((resolve) => waiting.push(resolve));
      if (!mayStart()) return false;
      underWay[share] += 1;
      return true;
    },
    settle: (facts, isExtra, result) => {
      if (facts.surface !== 'model') return;
      const share = shareOf(facts, isExtra);
      underWay[share] -= 1;
      if (mayBeBilled(facts, result)) {
        spent[share] += 1;
        const wrong = wrongOf(facts);
        if (wrong) accepted.add(wrong);
      }
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Undefined for a request that the gateway may accept. */
function wrongOf(facts: Attributes): Wrong | undefined {
  if (isBillable(facts)) return undefined;
  const { key, accepted, model } = facts;
  if (key !== 'good' || accepted === 'false') return 'credential';
  return model === 'good' || model === 'text-only' || model === 'none' ? 'body' : 'model';
}

/** A good call that broke off may have been billed, but not one that never reached the gateway. */
export function mayBeBilled(facts: Attributes, result: Result): boolean {
  if (facts.surface !== 'model') return false;
  if (result.kind === 'answer') return succeeded(result);
  return isBillable(facts) && !['refused', 'unresolved', 'tls', 'held-back'].includes(result.failure.reason);
}
