import { readMember } from '../../contract/pointer.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import { modelOperation } from '../profile/profile.ts';
import { answerOf, type Exchange, isTransientResult, succeeded } from '../transport/exchange.ts';
import { firstStep } from './controls.ts';
import { type RoundSender, sendRequest } from './sender.ts';
import type { SentControl } from './try-operation.ts';

/**
 * Examines each operation without a successful control, and updates the results of the controls. After a persistent 5xx
 * or 429, tests whether another operation succeeds. After a 404 or 405, tests whether the endpoint or only the model
 * does not exist.
 */
export async function explainFailures(
  failed: ReadonlyMap<OperationId, readonly SentControl[]>,
  sender: RoundSender,
): Promise<void> {
  const { controls } = sender;
  for (const [id, tries] of failed) {
    const control = controls.plain.get(id);
    if (control?.kind === 'failed') await compareWithOther(id, tries, sender);
    const { plain } = sender.context.catalog.operations[id];
    // The streamed call has the same model as the plain call, which just succeeded.
    const isKnownModel = plain !== id && controls.plain.get(plain)?.kind === 'succeeded';
    if (control?.kind !== 'absent' || !modelOperation(id) || isKnownModel) continue;
    const { exchange } = control;
    if (namesModel(exchange) || (await endpointExists(id, tries, sender)))
      controls.plain.set(id, { kind: 'unknown-model', exchange });
  }
}

/**
 * Calls another operation immediately after a persistent 5xx or 429. If this call succeeds, an outage of the gateway is
 * not the reason.
 */
async function compareWithOther(
  id: OperationId,
  tries: readonly SentControl[],
  sender: RoundSender,
): Promise<void> {
  const { controls, record } = sender;
  const failing = tries.filter(
    ({ exchange: { result } }) => result.kind === 'answer' && isTransientResult(result),
  );
  const other = operationIds
    .map((operation) => controls.plain.get(operation))
    .find((it) => it?.kind === 'succeeded');
  if (failing.length === 0 || other?.kind !== 'succeeded') return;
  const fresh = await sendRequest(sender, {
    id: `controls/compare/operation=${id}#control`,
    attributes: other.step.attributes,
    isExtra: true,
  });
  record.addOther(fresh);
  const controlAfter = succeeded(fresh.result) ? 'succeeded' : 'failed';
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
  const { catalog, profile } = sender.context;
  const { attributes } = firstStep(first.item);
  const withoutKey = { header: 'none', key: 'none' };
  const unknown = completeAttributes(
    { operation: 'none', path: 'unknown', ...withoutKey },
    catalog.operations,
    profile,
  );
  const [own, stray] = await Promise.all([
    sendRequest(sender, {
      id: `controls/without-key/operation=${id}#1`,
      attributes: completeAttributes({ ...attributes, ...withoutKey }, catalog.operations, profile),
    }),
    sendRequest(sender, { id: `controls/without-key/operation=${id}/unknown-path#1`, attributes: unknown }),
  ]);
  for (const exchange of [own, stray]) sender.record.addOther(exchange);
  return !isNotFound(own) && isNotFound(stray);
}

function isNotFound(exchange: Exchange): boolean {
  return [404, 405].includes(answerOf(exchange)?.status ?? 0);
}
