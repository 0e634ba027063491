import type { Attributes } from '../catalog/condition.ts';
import { notSentReason, type Result, succeeded } from '../exchange/exchange.ts';
import { isBillable } from '../plan/estimate.ts';

/** The limit of the requests that a gateway may bill in a run, including retries and the search for a model. */
export interface BillingBudget {
  /**
   * Reserves one request with these attributes. Resolves to whether the request may be sent. If necessary, waits for
   * the results of pending requests. `isExtra` marks a request that is not in the plan, such as a control that
   * confirms a failure. If the promise resolves to true, send the request, and then call `settle` with the result.
   */
  readonly take: (attributes: Attributes, isExtra: boolean) => Promise<boolean>;
  /** Ends a reservation. The request counts towards the limit if the gateway may have billed the request. */
  readonly settle: (attributes: Attributes, isExtra: boolean, result: Result) => void;
}

type InvalidPart = 'credential' | 'model' | 'body';

/**
 * Creates a budget of `most` model calls that the gateway may bill (see `mayBeBilled`). `planned` of these calls are
 * reserved for the billable calls of the plan. When all unreserved calls are used up, requests that the gateway must
 * reject are sent one at a time, unless the gateway accepted an earlier request with the same invalid part
 * (credential, model or body). Therefore, at most three calls exceed the budget.
 */
export function createBillingBudget(most: number, planned: number): BillingBudget {
  const spent = { planned: 0, extra: 0 };
  const underWay = { planned: 0, extra: 0 };
  let waiting: (() => void)[] = [];
  const accepted = new Set<InvalidPart>();
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
      const invalidPart = findInvalidPart(attributes);
      const mayStart = (): boolean => {
        if (leftFor[share]() > 0) return true;
        return invalidPart !== undefined && !accepted.has(invalidPart) && underWay.extra === 0;
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
        const invalidPart = findInvalidPart(attributes);
        if (invalidPart) accepted.add(invalidPart);
      }
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
  };
}

/** Returns the invalid part of a request; undefined for a billable request. A wrong method counts as `body`. */
function findInvalidPart(attributes: Attributes): InvalidPart | undefined {
  if (isBillable(attributes)) return undefined;
  const { key, accepted, model } = attributes;
  if (key !== 'good' || accepted === 'false') return 'credential';
  return model === 'good' || model === 'text-only' || model === 'none' ? 'body' : 'model';
}

/**
 * Whether the gateway may bill a request with this result: a model call that succeeded, or a billable call that was
 * sent but got no response.
 */
export function mayBeBilled(attributes: Attributes, result: Result): boolean {
  if (attributes.surface !== 'model') return false;
  if (result.kind === 'answer') return succeeded(result);
  return (
    isBillable(attributes) && !['refused', 'unresolved', 'tls', notSentReason].includes(result.failure.reason)
  );
}
