import { list, mapping } from '../../contract/mapping.ts';
import { type Fixtures, matchesModel } from '../catalog/fixtures.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { answerOf, type Exchange, succeeded } from '../transport/exchange.ts';
import { deliver, type Sender } from './sender.ts';

/** The model IDs of a model list, whatever its shape: of each item of a list its `id`, `name` or `model`, or the text itself. */
export function listedModels(value: unknown): string[] {
  const found: string[] = [];
  let open: unknown[] = [value];
  while (open.length > 0) {
    const next: unknown[] = [];
    for (const item of open) {
      if (!Array.isArray(item)) {
        // One by one, since a call takes no more than some hundred thousand at once.
        for (const inner of Object.values(mapping(item))) next.push(inner);
        continue;
      }
      for (const entry of list(item)) {
        const { id, name, model } = mapping(entry);
        const named = [entry, id, name, model].find((text) => typeof text === 'string');
        if (typeof named === 'string') found.push(named.replace(/^models\//, ''));
        else next.push(entry);
      }
    }
    open = next;
  }
  return [...new Set(found)];
}

/** The listed models to try for an operation, the likeliest first, as `fixtures/discovery.yaml` says. */
export function candidates(
  operation: string,
  listed: readonly string[],
  discovery: Fixtures['discovery'],
): string[] {
  const usable = listed.filter((id) => !matchesModel(discovery.avoid, id));
  const preferred = (discovery.prefer[operation] ?? []).flatMap((pattern) =>
    usable.filter((id) => matchesModel(pattern, id)),
  );
  return [...new Set(preferred)].slice(0, discovery.tries);
}

/** The models that a gateway lists, or why the list could not be read. */
export type ModelList =
  | { readonly kind: 'read'; readonly ids: readonly string[]; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'unread'; readonly reason: string; readonly exchanges: readonly Exchange[] };

/** Reads the model list with the good key, in one accepted header after the other until one is taken. */
export async function readModelList(controls: readonly PlannedCase[], sender: Sender): Promise<ModelList> {
  const exchanges: Exchange[] = [];
  for (const { attributes: facts } of controls.filter((item) => item.attributes.operation === 'models')) {
    const exchange = await deliver(sender, { id: `models/list/header=${facts.header}`, facts });
    exchanges.push(exchange);
    if (!succeeded(exchange.result)) continue;
    const content = answerOf(exchange)?.content;
    if (content?.kind === 'json') return { kind: 'read', ids: listedModels(content.value), exchanges };
    const why = content?.kind === 'unreadable' ? content.reason : 'it is not JSON';
    return { kind: 'unread', reason: `The model list can't be read: ${why}.`, exchanges };
  }
  const last = exchanges.at(-1);
  const answer = last && answerOf(last);
  const seen = answer
    ? `it was answered ${answer.status}`
    : last?.result.kind === 'failure'
      ? last.result.failure.detail
      : 'nothing asks for it';
  return { kind: 'unread', reason: `The model list can't be had: ${seen}.`, exchanges };
}
