import type { ErrorRows } from '../catalog/errors.ts';
import { isOperationId } from '../catalog/operations.ts';
import { wrongKeyPhases } from '../catalog/scenarios.ts';
import { answerOf, type Exchange, readErrorMember } from '../exchange/exchange.ts';
import { isBadKey, isBurst } from '../plan/estimate.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import { isKeyRejected } from './attribution.ts';
import type { Execution } from './controls.ts';

// What a run knows about a guard in front of the gateway that blocks an address after wrong keys, and about a key that
// is no longer valid.

/**
 * Returns the reason why a case with wrong keys, or a burst, cannot be judged. One reason is that the control of an
 * operation of the case failed after wrong keys were sent. For a burst, the other reason is that the gateway rejected
 * the valid key in a repeated control. Returns undefined if neither reason applies.
 */
export function findLockout(
  planned: PlannedCase,
  { controls }: Execution,
  errors: ErrorRows,
): string | undefined {
  const operations = planned.steps
    .map(({ attributes }) => attributes.operation ?? 'none')
    .filter(isOperationId);
  const failed = operations
    .map((id) => controls.lockedOut.get(id))
    .find((exchange) => exchange !== undefined);
  const [rejected] = controls.rejected.values();
  if (rejected && (failed ? isKeyRejected(failed, errors) : isBurst(planned)))
    return explainRejected(rejected);
  return failed && explainFailed(failed);
}

/** Returns why the key, although valid at first, may no longer be; undefined if no control was rejected. */
export function explainLostKey({ rejected }: Execution['controls']): string | undefined {
  const [exchange] = rejected.values();
  return exchange && explainRejected(exchange);
}

function explainRejected(exchange: Exchange): string {
  return `The gateway accepted the key \`keys.valid\` at first, but later rejected the key in a control too (${answerOf(exchange)?.status}). The key may have been deleted, or may have expired or run out of credit.`;
}

/**
 * Whether a lockout can affect a case: a case of the phase `bad-keys`, or a lifecycle case with a wrong key, such as
 * a deleted key.
 */
export function mayBeLockedOut({ phase, steps }: PlannedCase): boolean {
  const hasWrongKey = steps.some(({ attributes }) => isBadKey(attributes));
  return phase === 'bad-keys' || (phase === 'lifecycle' && hasWrongKey);
}

function explainFailed(exchange: Exchange): string {
  const { result } = exchange;
  return result.kind === 'answer' && result.answer.status >= 500
    ? `After requests with wrong keys, a control got ${result.answer.status}. The gateway or its upstream may have failed.`
    : 'After requests with wrong keys, a valid request failed too. The gateway may have blocked this address.';
}

/**
 * Creates a function that returns whether a guard may have blocked this address, or refused the request, before or
 * during an exchange. The function returns true if the control of the operation failed after wrong keys were sent, and
 * the exchange started no earlier than the first exchange of the operation in a phase with wrong keys; or if the
 * exchange started no earlier than the first one with a text that a firewall dislikes.
 */
export function createBlockCheck(
  { cases }: Plan,
  { controls, exchanges }: Execution,
): (exchange: Exchange) => boolean {
  const starts = new Map<string, number>();
  const sent = cases
    .filter(({ phase }) => wrongKeyPhases.includes(phase))
    .flatMap(({ id }) => exchanges.get(id) ?? []);
  for (const { attributes, startedAt } of controls.lockedOut.size > 0 ? sent : []) {
    const { operation = 'none' } = attributes;
    if (isOperationId(operation) && controls.lockedOut.has(operation))
      starts.set(operation, Math.min(startedAt, starts.get(operation) ?? startedAt));
  }
  const disliked = cases
    .filter(({ phase }) => phase === 'firewall')
    .flatMap(({ id }) => exchanges.get(id) ?? []);
  const end = Math.min(...disliked.map(({ startedAt }) => startedAt));
  return ({ attributes: { operation = 'none' }, startedAt }) =>
    startedAt >= Math.min(end, starts.get(operation) ?? Number.POSITIVE_INFINITY);
}

/**
 * Creates a function that returns whether a server in front of the gateway may have sent a response of a burst. The
 * function returns true if the request belongs to a burst, the response is a 429 without `error`, and at least two
 * operations got such a response.
 */
export function createThrottleCheck(all: readonly Exchange[]): (exchange: Exchange) => boolean {
  const pages = all.filter(isThrottlingPage);
  const operations = new Set(pages.map(({ attributes }) => attributes.operation));
  return (exchange) =>
    exchange.attributes.burst === 'true' && operations.size > 1 && isThrottlingPage(exchange);
}

function isThrottlingPage(exchange: Exchange): boolean {
  return answerOf(exchange)?.status === 429 && readErrorMember(exchange.result, '/error') === undefined;
}
