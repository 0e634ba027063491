import type { Facts } from '../catalog/condition.ts';
import { isBillable } from '../plan/estimate.ts';
import { type Result, succeeded } from './exchange.ts';

/** Holds how many requests of a run a gateway may bill, tries to find a model and repeats included. */
export interface Budget {
  /**
   * Whether one more request of these facts may be sent; waits where that hangs on what is under way. It counts until
   * `settle` says that it cost nothing.
   */
  readonly take: (facts: Facts) => Promise<boolean>;
  /** Gives back what was taken where the gateway can't have billed it. */
  readonly settle: (facts: Facts, result: Result) => void;
}

/**
 * A budget of so many model calls that succeed, or of which nobody knows whether they did. A call that a gateway must
 * refuse is sent although nothing is left, but only one at a time, and none after one that the gateway did not refuse.
 */
export function makeBudget(most: number): Budget {
  let spent = 0;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const room = (): number => most - spent - underWay;
  return {
    take: async (facts) => {
      if (facts.surface !== 'model') return true;
      const mayStart = (): boolean => room() > 0 || (!isBillable(facts) && spent <= most && underWay === 0);
      while (!mayStart() && underWay > 0) await new Promise<void>((resolve) => waiting.push(resolve));
      if (!mayStart()) return false;
      underWay += 1;
      return true;
    },
    settle: (facts, result) => {
      if (facts.surface !== 'model') return;
      underWay -= 1;
      if (mayBeBilled(facts, result)) spent += 1;
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** A good call that broke off may have been billed, but not one that never reached the gateway. */
function mayBeBilled(facts: Facts, result: Result): boolean {
  if (result.kind === 'answer') return succeeded(result);
  return isBillable(facts) && !['refused', 'unresolved', 'tls'].includes(result.failure.reason);
}
