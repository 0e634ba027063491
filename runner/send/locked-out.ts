import { isOperationId } from '../catalog/operations.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { type Controls, controlStep } from './controls.ts';
import { deliver, type Sender } from './deliver.ts';
import { type Exchange, succeeded } from './exchange.ts';

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
    const exchange = await deliver(sender, {
      id: `controls/after-bad-keys/operation=${operation}`,
      facts: step.facts,
    });
    if (!succeeded(exchange.result)) controls.lockedOut.add(operation);
    return [exchange];
  });
  return (await Promise.all(tries)).flat();
}
