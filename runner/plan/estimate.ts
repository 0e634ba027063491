import type { Attributes } from '../catalog/condition.ts';
import { isNeverAccepted } from '../catalog/operations.ts';
import { wrongKeyPhases } from '../catalog/scenarios.ts';
import type { PlannedCase } from './plan.ts';

/** The maximum number of requests that a run sends, without retries and without the search for models. */
export interface Estimate {
  readonly requests: number;
  /** The number of requests that a conforming gateway may bill: model calls that succeed. */
  readonly billable: number;
  /**
   * The number of requests with a key that the gateway must reject. Some gateways lock out an address that sends many of them.
   */
  readonly badKeys: number;
}

const otherKeys = ['good', 'depleted', 'foreign', 'empty', 'none'];

/** The number of requests of a burst, and the number of rounds. */
export interface PlanSize {
  readonly burst: number;
  readonly rounds: number;
}

/** Counts the requests of the cases that will be sent. */
export function estimate(cases: readonly PlannedCase[], { burst, rounds }: PlanSize): Estimate {
  const all = cases.filter((item) => !item.notApplicable && !item.pool);
  // A burst is sent in the last round alone.
  const sent = all.filter((item) => !isBurst(item));
  const attributes = sent.flatMap(listRequests);
  const bursts = all.length - sent.length;
  const after = controlsAfterWrongKeys(sent);
  return {
    requests: rounds * (attributes.length + after.length) + bursts * Math.max(1, burst),
    billable: rounds * [...attributes, ...after].filter(isBillable).length,
    badKeys: rounds * attributes.filter(isBadKey).length,
  };
}

/**
 * The maximum number of requests that each sender of `during` sends while keys or balances change. The number
 * is limited because the requests may be billed.
 */
export const mostInTurn = 3;

function listRequests({ steps }: PlannedCase): Attributes[] {
  const underWay = steps.reduce((sum, { before }) => sum + (before?.during ?? 0) * mostInTurn, 0);
  const own = steps.map(({ attributes }) => attributes);
  const [first] = own;
  return first && underWay > 0 ? [...own, ...Array.from({ length: underWay }, () => first)] : own;
}

/** Adds two estimates. */
export function addEstimates(one: Estimate, other: Estimate | undefined): Estimate {
  if (!other) return one;
  return {
    requests: one.requests + other.requests,
    billable: one.billable + other.billable,
    badKeys: one.badKeys + other.badKeys,
  };
}

/** Returns the controls that are repeated after wrong keys, one for each operation, to detect a lockout of this address. */
function controlsAfterWrongKeys(sent: readonly PlannedCase[]): Attributes[] {
  const tried = sent.filter(({ phase }) => wrongKeyPhases.includes(phase)).flatMap(({ steps }) => steps);
  const operations = new Set(tried.map(({ attributes }) => attributes.operation));
  return sent
    .filter(
      ({ phase, attributes: { operation, header } }) =>
        phase === 'controls' && header === 'bearer' && operations.has(operation),
    )
    .map((item) => item.attributes);
}

/** Whether a case sends a burst that exceeds the frequency limit. */
export function isBurst({ attributes }: PlannedCase): boolean {
  return attributes.burst === 'true';
}

/** Whether a request with these attributes has a wrong or deleted key, which the gateway must reject. */
export function isBadKey({ key = 'none' }: Attributes): boolean {
  return !otherKeys.includes(key);
}

/** Whether the gateway must accept the key, of an account with or without balance. */
export function mustAcceptKey({ accepted, key = 'none' }: Attributes): boolean {
  return accepted === 'true' && key !== 'none' && key !== 'empty' && !isBadKey({ key });
}

/** Whether a gateway may bill a request with these attributes if it succeeds. */
export function isBillable({ surface, key, header, fault, model, method }: Attributes): boolean {
  const taken = key === 'good' && !isNeverAccepted(header);
  const asks = (fault === 'none' || fault === 'left-open') && (model === 'good' || model === 'text-only');
  return surface === 'model' && taken && asks && method === 'documented';
}
