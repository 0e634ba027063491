import { isNeverAccepted } from '../catalog/attributes.ts';
import type { Attributes } from '../catalog/condition.ts';
import { wrongKeyPhases } from '../catalog/scenarios.ts';
import type { PlannedCase } from './plan.ts';

/**
 * The numbers of planned requests of a run. The requests of `setup`, and requests that only some responses cause,
 * such as retries, are not included.
 */
export interface Estimate {
  readonly requests: number;
  /** The number of planned calls that the gateway may bill. */
  readonly billable: number;
  /**
   * The number of requests with a wrong or deleted key. Some gateways block the address of a
   * client that sends many of these requests.
   */
  readonly badKeys: number;
}

const otherKeys = ['good', 'depleted', 'foreign', 'empty', 'none'];

/** The number of requests of a burst, and the number of rounds of a run. */
export interface PlanSize {
  readonly burst: number;
  readonly rounds: number;
}

/** Counts the planned requests of all applicable cases over all rounds. */
export function estimate(cases: readonly PlannedCase[], { burst, rounds }: PlanSize): Estimate {
  const all = cases.filter((item) => !item.notApplicable && !item.pool);
  const sent = all.filter((item) => !isOfLastRound(item));
  const attributes = sent.flatMap(listRequests);
  const bursts = all.filter(isBurst);
  const afterBursts = bursts.flatMap(({ steps }) => steps.slice(1)).length;
  const last = all.filter((item) => isOfLastRound(item) && !isBurst(item)).flatMap(listRequests);
  const after = controlsAfterWrongKeys(sent);
  return {
    requests:
      rounds * (attributes.length + after.length) +
      bursts.length * Math.max(1, burst) +
      afterBursts +
      last.length,
    billable: rounds * [...attributes, ...after].filter(isBillable).length + last.filter(isBillable).length,
    badKeys: rounds * attributes.filter(isBadKey).length,
  };
}

/**
 * The maximum number of requests that each of the `during` concurrent senders sends, one after another, while a key or
 * balance changes. The number is limited because the requests may be billed.
 */
export const maxRequestsPerSender = 3;

function listRequests({ steps }: PlannedCase): Attributes[] {
  const underWay = steps.reduce((sum, { before }) => sum + (before?.during ?? 0) * maxRequestsPerSender, 0);
  const own = steps.map(({ attributes }) => attributes);
  const [first] = own;
  return first && underWay > 0 ? [...own, ...Array.from({ length: underWay }, () => first)] : own;
}

export function addEstimates(one: Estimate, other: Estimate | undefined): Estimate {
  if (!other) return one;
  return {
    requests: one.requests + other.requests,
    billable: one.billable + other.billable,
    badKeys: one.badKeys + other.badKeys,
  };
}

/**
 * Returns the attributes of the controls that are sent again after wrong keys, one for each operation, to detect
 * whether the gateway has blocked this address.
 */
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

/** Whether a case sends a burst, which must exceed the rate limit of the gateway. */
export function isBurst({ steps }: PlannedCase): boolean {
  return steps.some(({ attributes }) => attributes.burst === 'true');
}

/** Whether only the last round sends a case, because its requests may cause this address to be limited or blocked. */
export function isOfLastRound(item: PlannedCase): boolean {
  return isBurst(item) || item.phase === 'firewall';
}

/** Whether a request with these attributes has a wrong or deleted key. A missing or empty key does not count. */
export function isBadKey({ key = 'none' }: Attributes): boolean {
  return !otherKeys.includes(key);
}

/**
 * Whether the gateway must accept the key of a request with these attributes. The account of the key may have no
 * balance.
 */
export function mustAcceptKey({ accepted, key = 'none' }: Attributes): boolean {
  return accepted === 'true' && key !== 'none' && key !== 'empty' && !isBadKey({ key });
}

/** Whether a planned request with these attributes counts as a call that the gateway may bill. */
export function isBillable({ surface, key, header, fault, model, method }: Attributes): boolean {
  const hasGoodKey = key === 'good' && !isNeverAccepted(header);
  const asksForOutput =
    (fault === 'none' || fault === 'left-open') && (model === 'good' || model === 'text-only');
  return surface === 'model' && hasGoodKey && asksForOutput && method === 'documented';
}
