import { readMember } from '../../contract/pointer.ts';
import { type OperationId, operationIds } from '../catalog/operations.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import { modelOperation } from '../profile/profile.ts';
import { answerOf, type Exchange, isTransient, succeeded } from '../transport/exchange.ts';
import { firstStep } from './controls.ts';
import { deliver, type Sender } from './sender.ts';
import type { SentControl } from './try-operation.ts';

/**
 * Finds out more about operations of which no good call succeeded: whether a 5xx persists while another operation accepts
 * the same key, and whether a 404 means the endpoint or the model.
 */
export async function explainFailures(
  failed: ReadonlyMap<OperationId, readonly SentControl[]>,
  sender: Sender,
): Promise<void> {
  const { controls } = sender;
  for (const [id, tries] of failed) {
    const control = controls.plain.get(id);
    if (control?.kind === 'failed') await compareWithOther(id, tries, sender);
    const { plain } = sender.context.catalog.operations[id];
    // A stream asks for the model of the plain call, which just succeeded.
    const isKnownModel = plain !== id && controls.plain.get(plain)?.kind === 'succeeded';
    if (control?.kind !== 'absent' || !modelOperation(id) || isKnownModel) continue;
    const { exchange } = control;
    if (namesModel(exchange) || (await exists(id, tries, sender)))
      controls.plain.set(id, { kind: 'unknown-model', exchange });
  }
}

/** Calls another operation right after a 5xx that stayed: if that succeeds, the 5xx is no outage. */
async function compareWithOther(
  id: OperationId,
  tries: readonly SentControl[],
  sender: Sender,
): Promise<void> {
  const { controls, record } = sender;
  const failing = tries.filter(({ exchange: { result } }) => result.kind === 'answer' && isTransient(result));
  const other = operationIds
    .map((operation) => controls.plain.get(operation))
    .find((it) => it?.kind === 'succeeded');
  if (failing.length === 0 || other?.kind !== 'succeeded') return;
  const fresh = await deliver(sender, {
    id: `controls/compare/operation=${id}#control`,
    facts: other.step.attributes,
    isExtra: true,
  });
  record.ofNone(fresh);
  const controlAfter = succeeded(fresh.result) ? 'succeeded' : 'failed';
  for (const { item, exchange } of failing) record.ofCase(item, [{ ...exchange, controlAfter }]);
}

/** Whether the message of an error names the model, other than in the path of the request. */
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

/** Whether an endpoint treats a call without a key otherwise than a path that does not exist. */
async function exists(id: OperationId, tries: readonly SentControl[], sender: Sender): Promise<boolean> {
  const [first] = tries;
  if (!first) return false;
  const { catalog, profile } = sender.context;
  const { attributes: facts } = firstStep(first.item);
  const withoutKey = { header: 'none', key: 'none' };
  const unknown = completeAttributes(
    { operation: 'none', path: 'unknown', ...withoutKey },
    catalog.operations,
    profile,
  );
  const [own, stray] = await Promise.all([
    deliver(sender, {
      id: `controls/without-key/operation=${id}#1`,
      facts: completeAttributes({ ...facts, ...withoutKey }, catalog.operations, profile),
    }),
    deliver(sender, { id: `controls/without-key/operation=${id}/unknown-path#1`, facts: unknown }),
  ]);
  for (const exchange of [own, stray]) sender.record.ofNone(exchange);
  return !isNotFound(own) && isNotFound(stray);
}

function isNotFound(exchange: Exchange): boolean {
  return [404, 405].includes(answerOf(exchange)?.status ?? 0);
}
