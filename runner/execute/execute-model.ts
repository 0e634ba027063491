import { readMember } from '../../contract/pointer.ts';
import { errorTypes } from '../../contract/specification.ts';
import type { ModelPlan } from '../plan/model-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { type ModelOperation, modelOperation } from '../profile/profile.ts';
import { answerOf } from '../transport/exchange.ts';
import { makeConfirmation } from './confirm.ts';
import { type Control, type Controls, type Execution, isReady } from './controls.ts';
import { concurrently } from './rate-limiter.ts';
import { runControls } from './run-controls.ts';
import { sendCase } from './send-case.ts';
import type { Sender } from './sender.ts';

/** What was sent for one model, and why some of its operations proved not to be for it. */
export interface ModelExecution extends Execution {
  readonly unfit: ReadonlyMap<ModelOperation, string>;
}

/** Next to the plan of a model, what is known about it and about its gateway. */
export interface ExecuteModelOptions {
  /** What good calls showed of the gateway before. */
  readonly gateway: Controls;
  /** The operations that the profile states to take the model; others are guesses. */
  readonly stated: readonly ModelOperation[];
  /** Called with each case when all of it was sent. */
  readonly onCase: ((item: PlannedCase, soFar: Execution) => void) | undefined;
}

/** Tries a model with a good call of each operation, then sends the cases of those that took it. */
export async function executeModel(
  { sent }: ModelPlan,
  sender: Sender,
  { gateway, stated, onCase }: ExecuteModelOptions,
): Promise<ModelExecution> {
  const { stop, controls, record, concurrency } = sender;
  const good = sent.filter(({ phase }) => phase === 'controls');
  if (!stop.stopped()) {
    await runControls(good, sender);
    // That the key is good, the gateway showed before.
    for (const [id, control] of gateway.plain) if (!isOf(good, id)) controls.plain.set(id, control);
    const confirmation = makeConfirmation(sender);
    const finished = (item: PlannedCase): void => {
      if (!confirmation.isOpen(item.id)) onCase?.(item, record.soFar());
    };
    for (const item of good) finished(item);
    const ready = sent.filter((item) => item.phase !== 'controls' && isReady(item, controls));
    await concurrently(concurrency, ready, (item) =>
      sendCase(item, sender, confirmation, () => finished(item)),
    );
    const open = ready.filter(({ id }) => confirmation.isOpen(id));
    await confirmation.confirm();
    for (const item of open) finished(item);
  }
  return { ...record.soFar(), unfit: unfitOf(controls, good, stated) };
}

function isOf(cases: readonly PlannedCase[], operation: string): boolean {
  return cases.some(({ attributes: facts }) => facts.operation === operation);
}

function unfitOf(
  controls: Controls,
  good: readonly PlannedCase[],
  stated: readonly ModelOperation[],
): Map<ModelOperation, string> {
  const unfit = new Map<ModelOperation, string>();
  for (const [id, control] of controls.plain) {
    const calls = modelOperation(id);
    if (calls === undefined || id !== calls || stated.includes(calls) || !isOf(good, id)) continue;
    const seen = refusal(control);
    if (seen === undefined) continue;
    unfit.set(
      calls,
      `Good calls of ${id} for listed models were answered ${seen}: they may be of another protocol, or not for this key.`,
    );
  }
  return unfit;
}

/** Statuses that tell of the model; others tell of the key, of the account, or of a passing condition. */
const refusals = [400, 403, 404, 405, 422];

function refusal(control: Control): string | undefined {
  const answer = 'exchange' in control ? answerOf(control.exchange) : undefined;
  if (!answer || !refusals.includes(answer.status)) return undefined;
  const type = answer.content.kind === 'json' ? readMember(answer.content.value, '/error/type') : undefined;
  if (type === errorTypes.insufficientBalance) return undefined;
  return [answer.status, ...(typeof type === 'string' ? [type.slice(0, 60)] : [])].join(' ');
}
