import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { type Controls, controlStep } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { afterEarlier, answerOf, type Exchange, saysDepleted, succeeded } from './exchange.ts';

/** Tries each operation again that bad keys were sent to: a guard may have locked this address out. */
export async function findLockedOut(
  cases: readonly PlannedCase[],
  controls: Controls,
  sender: Sender,
): Promise<Exchange[]> {
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ facts }) => facts.operation ?? 'none')),
  );
  const tries = [...operations].filter(isOperationId).map(async (operation): Promise<Exchange[]> => {
    const step = controlStep(controls, operation, false);
    if (!step) return [];
    const id = `controls/after-bad-keys/operation=${operation}`;
    const send = (): Promise<Exchange> => deliver(sender, { id, facts: step.facts });
    const exchange = await send();
    // No guard answers 5xx: it is worth another try before all that was sent is in doubt.
    const failed = (answerOf(exchange)?.status ?? 0) >= 500;
    const last = failed ? afterEarlier(exchange, await send()) : exchange;
    if (!succeeded(last.result) && !saysDepleted(last.result)) controls.lockedOut.set(operation, last);
    return [last];
  });
  return (await Promise.all(tries)).flat();
}
