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
  const tried: Exchange[] = [];
  const operations = new Set(
    cases.flatMap((item) => item.steps.map(({ facts }) => facts.operation ?? 'none')),
  );
  for (const operation of [...operations].filter(isOperationId)) {
    const step = controlStep(controls, operation, false);
    if (!step) continue;
    const exchange = await deliver(sender, {
      id: `controls/after-bad-keys/operation=${operation}`,
      facts: step.facts,
    });
    tried.push(exchange);
    if (!succeeded(exchange.result)) controls.lockedOut.add(operation);
  }
  return tried;
}
