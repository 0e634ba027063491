import { readMember } from '../../common/pointer.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import { isKeyRejected } from '../evidence/attribution.ts';
import { type Control, getFirstStep, isHeaderControl } from '../evidence/controls.ts';
import { answerOf, type Exchange, succeeded } from '../exchange/exchange.ts';
import { isTransientResult } from '../exchange/reading.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { findModelOperation } from '../profile/profile.ts';
import { extractModelIds } from './discover.ts';
import { type RoundSender, sendRequest } from './sender.ts';
import {
  classifyFailedControls,
  createFallbackPageCheck,
  recheckControl,
  type SentControl,
  sendFirst,
  tryOperation,
} from './try-operation.ts';
import { isKeyStillAccepted } from './watch-lockout.ts';

/**
 * Sends a valid call to every offered operation with the valid key in each accepted header, and then the streamed
 * calls. If the profile names no model, tries a few listed models. Later requests with the header `any` use the first
 * header that succeeded.
 */
export async function runControls(cases: readonly PlannedCase[], sender: RoundSender): Promise<void> {
  const { controls } = sender;
  const { operations } = sender.context.promise;
  let listed: readonly string[] = [];
  const isFallbackPage = createFallbackPageCheck(sender);
  const failed = new Map<OperationId, readonly SentControl[]>();
  const tryOne = async (id: OperationId, resolveKnown: () => void): Promise<void> => {
    const own = cases.filter(
      (item) => isHeaderControl(item) && item.attributes.operation === id && !item.notApplicable,
    );
    const failures = await tryOperation(
      operations[id],
      own,
      { listed, sender, isFallbackPage },
      ({ control, answered }) => {
        controls.plain.set(id, control);
        const answer = id === 'models' && answered ? answerOf(answered) : undefined;
        if (answer?.content.kind === 'json') listed = extractModelIds(answer.content.value);
        resolveKnown();
      },
    );
    if (failures.length > 0) failed.set(id, failures);
  };
  const trying = new Map<OperationId, OperationTry>();
  /** Tries an operation once, after the operation that determines its model. */
  const tryOnce = (id: OperationId): OperationTry => {
    const before = findModelSource(id, sender);
    const own =
      trying.get(id) ??
      startTry(async (resolveKnown) => {
        if (before) await tryOnce(before).known;
        await tryOne(id, resolveKnown);
      });
    trying.set(id, own);
    return own;
  };
  const streams = cases.filter(
    (item) => item.phase === 'controls' && !isHeaderControl(item) && !item.notApplicable,
  );
  await Promise.all([
    ...operationIds.map((id) => tryOnce(id).done),
    ...streams.map(async (item) => {
      const id = streamOf(item);
      await Promise.all([tryOnce(operations[id].plain).known, tryOnce(id).known]);
      await tryStream(item, sender);
    }),
  ]);
  await explainFailures(failed, sender);
}

/**
 * Returns the operation that must be tried before an operation: the model list if the profile names no model. For a
 * streamed call, returns the plain call, which determines the model and whether a guessed path exists. Returns
 * undefined if no other operation must be tried first.
 */
function findModelSource(id: OperationId, { context: { promise } }: RoundSender): OperationId | undefined {
  const { operations, profile } = promise;
  const { plain } = operations[id];
  const calls = findModelOperation(id);
  const isStated = calls === undefined || profile.models[calls].good !== undefined;
  if (plain !== id) return isStated && profile.operations[id]?.stated !== 'guess' ? undefined : plain;
  return isStated ? undefined : 'models';
}

/**
 * An operation that is being tried. `known` resolves when the result of its controls is known, and `done` when all
 * headers were tried.
 */
interface OperationTry {
  readonly known: Promise<void>;
  readonly done: Promise<void>;
}

function startTry(act: (resolveKnown: () => void) => Promise<void>): OperationTry {
  let resolveKnown = (): void => undefined;
  const known = new Promise<void>((resolve) => {
    resolveKnown = resolve;
  });
  return { known, done: act(resolveKnown) };
}

async function tryStream(item: PlannedCase, sender: RoundSender): Promise<void> {
  const { controls, record } = sender;
  const id = streamOf(item);
  const plain = controls.plain.get(sender.context.promise.operations[id].plain);
  const own = controls.plain.get(id);
  if (plain?.kind !== 'succeeded' || own?.kind === 'not-offered' || own?.kind === 'no-model') return;
  const exchange = await recheckControl(
    { item, exchange: await sendFirst(item, sender) },
    plain.step,
    sender,
  );
  record.setCase(item, [exchange]);
  const control: Control = succeeded(exchange.result)
    ? { kind: 'succeeded', header: plain.header, step: getFirstStep(item) }
    : classifyFailedControls([{ item, exchange, isPage: false }], false, sender.context.promise.errors);
  controls.streamed.set(id, control);
}

function streamOf({ attributes }: PlannedCase): OperationId {
  return operationIds.find((known) => known === attributes.operation) ?? 'chat';
}

/**
 * Examines each operation whose controls all failed, and updates the results of the controls. After a persistent 5xx
 * or 429, or a rejection of the valid key, tests whether another operation succeeds. After a 404 or 405, tests
 * whether the endpoint or only the model does not exist.
 */
async function explainFailures(
  failed: ReadonlyMap<OperationId, readonly SentControl[]>,
  sender: RoundSender,
): Promise<void> {
  const { controls } = sender;
  for (const [id, tries] of failed) {
    const control = controls.plain.get(id);
    if (control?.kind === 'failed' || control?.kind === 'refused') await compareWithOther(id, tries, sender);
    const { plain } = sender.context.promise.operations[id];
    // The streamed call has the same model as the plain call, which just succeeded.
    const isKnownModel = plain !== id && controls.plain.get(plain)?.kind === 'succeeded';
    if (control?.kind !== 'absent' || !findModelOperation(id) || isKnownModel) continue;
    const { exchange } = control;
    if (namesModel(exchange) || (await endpointExists(id, tries, sender)))
      controls.plain.set(id, { kind: 'unknown-model', exchange });
  }
}

/**
 * Calls another operation immediately after a persistent 5xx or 429, or after a rejection of the valid key. If this
 * call succeeds, neither an outage of the gateway nor an invalid key is the reason for the failure.
 */
async function compareWithOther(
  id: OperationId,
  tries: readonly SentControl[],
  sender: RoundSender,
): Promise<void> {
  const { controls, record } = sender;
  const failing = tries.filter(
    ({ exchange }) =>
      isKeyRejected(exchange, sender.context.promise.errors) ||
      (exchange.result.kind === 'answer' && isTransientResult(exchange.result)),
  );
  const other = operationIds
    .map((operation) => controls.plain.get(operation))
    .find((it) => it?.kind === 'succeeded');
  if (failing.length === 0 || other?.kind !== 'succeeded') return;
  const isAccepted = await isKeyStillAccepted(other.step, `controls/compare/operation=${id}#control`, sender);
  const controlAfter = isAccepted ? 'succeeded' : 'failed';
  for (const { item, exchange } of failing) record.setCase(item, [{ ...exchange, controlAfter }]);
}

/**
 * Whether an error message contains the model ID outside of the path of the request. Some servers repeat this path in
 * the message.
 */
function namesModel({ model, request, ...exchange }: Exchange): boolean {
  const content = answerOf({ model, request, ...exchange })?.content;
  if (content?.kind !== 'json' || !model) return false;
  const words = ['/error/message', '/error', '/message', '/detail'].map((at) =>
    readMember(content.value, at),
  );
  const path = request.path.split('?', 1)[0] ?? '';
  const readable = path.replaceAll(encodeURIComponent(model), model);
  return words.some(
    (text) => typeof text === 'string' && text.replaceAll(path, '').replaceAll(readable, '').includes(model),
  );
}

/**
 * Resolves to whether the endpoint exists: a call without a key does not get 404 or 405, but a request to an unknown
 * path does.
 */
async function endpointExists(
  id: OperationId,
  tries: readonly SentControl[],
  sender: RoundSender,
): Promise<boolean> {
  const [first] = tries;
  if (!first) return false;
  const { promise } = sender.context;
  const { attributes } = getFirstStep(first.item);
  const withoutKey = { header: 'none', key: 'none' };
  const unknown = completeAttributes({ operation: 'none', path: 'unknown', ...withoutKey }, promise);
  const [own, stray] = await Promise.all([
    sendRequest(sender, {
      id: `controls/without-key/operation=${id}#1`,
      attributes: completeAttributes({ ...attributes, ...withoutKey }, promise),
    }),
    sendRequest(sender, { id: `controls/without-key/operation=${id}/unknown-path#1`, attributes: unknown }),
  ]);
  for (const exchange of [own, stray]) sender.record.addOther(exchange);
  return !isNotFound(own) && isNotFound(stray);
}

function isNotFound(exchange: Exchange): boolean {
  return [404, 405].includes(answerOf(exchange)?.status ?? 0);
}
