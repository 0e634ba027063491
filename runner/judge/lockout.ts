import { isOperationId } from '../catalog/operations.ts';
import { wrongKeyPhases } from '../catalog/scenarios.ts';
import type { Execution } from '../execute/controls.ts';
import { isBadKey } from '../plan/estimate.ts';
import type { Plan, PlannedCase } from '../plan/plan.ts';
import type { Exchange } from '../transport/exchange.ts';

/** Returns the control that failed after wrong keys were sent to an operation of a case; undefined if none failed. */
export function findLockout({ steps }: PlannedCase, { controls }: Execution): Exchange | undefined {
  const operations = steps.map(({ attributes }) => attributes.operation ?? 'none').filter(isOperationId);
  return operations.map((id) => controls.lockedOut.get(id)).find((exchange) => exchange !== undefined);
}

/** Whether a lockout can affect a case: a case of the phase `bad-keys`, or a lifecycle case with a deleted key. */
export function mayBeLockedOut({ phase, steps }: PlannedCase): boolean {
  const hasWrongKey = steps.some(({ attributes }) => isBadKey(attributes));
  return phase === 'bad-keys' || (phase === 'lifecycle' && hasWrongKey);
}

/** Returns the reason why a case is inconclusive. `exchange` is the control that failed after wrong keys. */
export function explainLockout(exchange: Exchange): string {
  const { result } = exchange;
  return result.kind === 'answer' && result.answer.status >= 500
    ? `After requests with wrong keys, a control got ${result.answer.status}. The gateway or its upstream may have failed.`
    : 'After requests with wrong keys, a valid request failed too. The gateway may have blocked this address.';
}

/**
 * Creates a function that returns whether the gateway may have blocked this address before an exchange: a wrong key was
 * sent to the operation, and the control after the wrong keys failed.
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
  return ({ attributes: { operation = 'none' }, startedAt }) =>
    startedAt >= (starts.get(operation) ?? Number.POSITIVE_INFINITY);
}
