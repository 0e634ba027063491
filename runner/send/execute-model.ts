import type { ErrorRows } from '../catalog/errors.ts';
import { type Control, type Controls, canBeJudged, type Execution } from '../evidence/controls.ts';
import { answerOf, readErrorMember } from '../exchange/exchange.ts';
import { readAnswer } from '../exchange/reading.ts';
import type { ModelPlan } from '../plan/model-cases.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { findModelOperation, type ModelOperation } from '../profile/profile.ts';
import { watchForBlockedConnections } from './blocked-connections.ts';
import { createConfirmation } from './confirm.ts';
import { forEachConcurrently } from './rate-limiter.ts';
import { runControls } from './run-controls.ts';
import { sendCase } from './send-case.ts';
import type { RoundSender } from './sender.ts';
import { watchForUnreadBodies } from './unread-bodies.ts';

export interface ModelExecution extends Execution {
  /**
   * The operations that rejected the model, except the operations in `stated`, each with the reason why the cases of
   * the operation are not applicable.
   */
  readonly unfit: ReadonlyMap<ModelOperation, string>;
}

/**
 * The controls of the gateway, the operations whose model the profile states, and a function to call with each case.
 */
export interface ExecuteModelOptions {
  /** The results of the controls that were sent without this model. */
  readonly gateway: Controls;
  /** The operations for which the profile states the model. For all other operations, the model is a guess. */
  readonly stated: readonly ModelOperation[];
  /**
   * Called at the end of a case, with the case and all exchanges so far. The case may be unsent or only partly sent,
   * for example after a stop.
   */
  readonly onCase: ((item: PlannedCase, soFar: Execution) => void) | undefined;
}

/**
 * Sends the controls of each operation with one model, and then the cases of the operations that accepted the model.
 */
export async function executeModel(
  { sent }: ModelPlan,
  ownSender: RoundSender,
  { gateway, stated, onCase }: ExecuteModelOptions,
): Promise<ModelExecution> {
  const sender = watchForBlockedConnections(watchForUnreadBodies(ownSender).sender);
  const { stop, controls, record, concurrency } = sender;
  const good = sent.filter(({ phase }) => phase === 'controls');
  if (!stop.stopped()) {
    await runControls(good, sender);
    // For operations that are not tried with this model, the controls of the gateway are used, because these controls
    // show that the gateway accepts the key.
    for (const [id, control] of gateway.plain) if (!hasOperation(good, id)) controls.plain.set(id, control);
    const confirmation = createConfirmation(sender);
    const finishCase = (item: PlannedCase): void => {
      if (!confirmation.isOpen(item.id)) onCase?.(item, record.soFar());
    };
    for (const item of good) finishCase(item);
    const ready = sent.filter((item) => item.phase !== 'controls' && canBeJudged(item, controls));
    await forEachConcurrently(concurrency, ready, (item) =>
      sendCase(item, sender, confirmation, () => finishCase(item)),
    );
    const open = ready.filter(({ id }) => confirmation.isOpen(id));
    await confirmation.confirm();
    for (const item of open) finishCase(item);
  }
  return {
    ...record.soFar(),
    unfit: findUnfitOperations(controls, good, stated, sender.context.promise.errors),
  };
}

function hasOperation(cases: readonly PlannedCase[], operation: string): boolean {
  return cases.some(({ attributes }) => attributes.operation === operation);
}

function findUnfitOperations(
  controls: Controls,
  good: readonly PlannedCase[],
  stated: readonly ModelOperation[],
  errors: ErrorRows,
): Map<ModelOperation, string> {
  const unfit = new Map<ModelOperation, string>();
  for (const [id, control] of controls.plain) {
    const calls = findModelOperation(id);
    if (calls === undefined || id !== calls || stated.includes(calls) || !hasOperation(good, id)) continue;
    const seen = describeRefusal(control, errors);
    if (seen === undefined) continue;
    unfit.set(
      calls,
      `Valid calls to ${id} with listed models returned ${seen}. The models may belong to another protocol, or may not be allowed for this key.`,
    );
  }
  return unfit;
}

/**
 * The statuses that an unsuitable model can cause. Other statuses have other reasons, such as the key, the account or
 * a transient condition.
 */
const refusals = [400, 403, 404, 405, 422];

function describeRefusal(control: Control, errors: ErrorRows): string | undefined {
  if (!('exchange' in control)) return undefined;
  const { exchange } = control;
  const answer = answerOf(exchange);
  if (!answer || !refusals.includes(answer.status)) return undefined;
  if (readAnswer(exchange, errors).about === 'account') return undefined;
  const type = readErrorMember(exchange.result, '/error/type');
  return [answer.status, ...(typeof type === 'string' ? [type.slice(0, 60)] : [])].join(' ');
}
