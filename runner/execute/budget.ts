import type { Attributes } from '../catalog/condition.ts';
import { isBillable } from '../plan/estimate.ts';
import { notSentReason, type Result, succeeded } from '../transport/exchange.ts';

/** Limits the number of requests of a run that a gateway may bill, including retries and the search for a model. */
export interface BillingBudget {
  /**
   * Reserves one request with these attributes, and resolves to whether the request may be sent. If the decision depends on
   * pending requests, waits for their results. `isExtra` marks a request that is not in the plan, such as a good call that
   * confirms a failure. If the request may be sent, call `settle` when its result is known.
   */
  readonly take: (attributes: Attributes, isExtra: boolean) => Promise<boolean>;
  /** Ends a reservation. The request counts towards the limit if the gateway may have billed it. */
  readonly settle: (attributes: Attributes, isExtra: boolean, result: Result) => void;
}

type RequestFault = 'credential' | 'model' | 'body';

/**
 * Creates a budget of `most` successful model calls. Calls with an unknown result count, too. `planned` calls of the budget
 * are reserved for the good calls of the plan. When the other calls are used up, requests that the gateway must refuse are
 * still sent, one at a time, until the gateway accepts one with the same faulty part (credential, model or body). The budget
 * is therefore exceeded by at most three calls.
 */
export function createBillingBudget(most: number, planned: number): BillingBudget {
  const spent = { planned: 0, extra: 0 };
  const underWay = { planned: 0, extra: 0 };
  let waiting: (() => void)[] = [];
  const accepted = new Set<RequestFault>();
  const shareOf = (attributes: Attributes, isExtra: boolean): 'planned' | 'extra' =>
    isExtra || !isBillable(attributes) ? 'extra' : 'planned';
  const left = (): number => most - spent.planned - spent.extra - underWay.planned - underWay.extra;
  const leftFor = {
    planned: () => Math.max(left(), planned - spent.planned - underWay.planned),
    extra: () => Math.min(left(), most - planned - spent.extra - underWay.extra),
  };
  return {
    take: async (attributes, isExtra) => {
      if (attributes.surface !== 'model') return true;
      const share = shareOf(attributes, isExtra);
      const wrong = faultOf(attributes);
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
    settle: (attributes, isExtra, result) => {
      if (attributes.surface !== 'model') return;
      const share = shareOf(attributes, isExtra);
      underWay[share] -= 1;
      if (mayBeBilled(attributes, result)) {
        spent[share] += 1;
        const wrong = faultOf(attributes);
        if (wrong) accepted.add(wrong);
      }
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Returns the part of a request that is faulty; undefined for a request that the gateway may accept. */
function faultOf(attributes: Attributes): RequestFault | undefined {
  if (isBillable(attributes)) return undefined;
  const { key, accepted, model } = attributes;
  if (key !== 'good' || accepted === 'false') return 'credential';
  return model === 'good' || model === 'text-only' || model === 'none' ? 'body' : 'model';
}

/** Whether the gateway may bill a request with this result. A good call without a response may be billed if it was sent. */
export function mayBeBilled(attributes: Attributes, result: Result): boolean {
  if (attributes.surface !== 'model') return false;
  if (result.kind === 'answer') return succeeded(result);
  return (
    isBillable(attributes) && !['refused', 'unresolved', 'tls', notSentReason].includes(result.failure.reason)
  );
}
