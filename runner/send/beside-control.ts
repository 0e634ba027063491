import type { PlannedCase, PlannedStep } from '../plan/plan.ts';
import { deliver, type Sender } from './deliver.ts';
import { afterEarlier, type Exchange, mayHaveChanged, succeeded } from './exchange.ts';
import type { CaseRecord } from './send-case.ts';

/** How often a control that fails alone is tried again beside a fresh one. */
const rounds = 2;

/** A header that fails while another succeeds is tried again beside fresh controls, where the failure may pass. */
export async function besideControl(
  item: PlannedCase,
  exchange: Exchange,
  control: PlannedStep,
  sender: Sender,
  record: CaseRecord,
): Promise<Exchange> {
  let current = exchange;
  for (let round = 0; round < rounds && mayHaveChanged(current); round += 1) {
    const fresh = await deliver(sender, { id: `${item.id}#control`, facts: control.facts, isExtra: true });
    record.ofNone(fresh);
    if (!succeeded(fresh.result)) return { ...current, controlAfter: 'failed' };
    const again = await sendFirst(item, sender);
    current = { ...afterEarlier(current, again), controlAfter: 'succeeded' };
  }
  return current;
}

/** Sends the one request of a control. */
export function sendFirst(item: PlannedCase, sender: Sender): Promise<Exchange> {
  return deliver(sender, { id: `${item.id}#1`, facts: firstStep(item).facts });
}

/** The first step of a case that sends something. */
export function firstStep(item: PlannedCase): PlannedStep {
  const [step] = item.steps;
  if (!step) throw new Error(`The case ${item.id} sends nothing.`);
  return step;
}
