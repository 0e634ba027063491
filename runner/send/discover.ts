import { toList, toMapping } from '../../common/mapping.ts';
import { type Fixtures, matchesModel } from '../catalog/fixtures.ts';
import { answerOf, type Exchange, succeeded } from '../exchange/exchange.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { type RoundSender, sendRequest } from './sender.ts';

/**
 * Returns the model IDs in a model list of any shape, without duplicates. If an item of an array is a string, the
 * item is an ID. Otherwise, the ID is the first string among `id`, `name` and `model` of the item. The prefix
 * `models/` is removed.
 */
export function extractModelIds(value: unknown): string[] {
  const found: string[] = [];
  let open: unknown[] = [value];
  while (open.length > 0) {
    const next: unknown[] = [];
    for (const item of open) {
      if (!Array.isArray(item)) {
        // The values are pushed one by one, because a call has a maximum number of arguments.
        for (const inner of Object.values(toMapping(item))) next.push(inner);
        continue;
      }
      for (const entry of toList(item)) {
        const { id, name, model } = toMapping(entry);
        const named = [entry, id, name, model].find((text) => typeof text === 'string');
        if (typeof named === 'string') found.push(named.replace(/^models\//, ''));
        else next.push(entry);
      }
    }
    open = next;
  }
  return [...new Set(found)];
}

/**
 * Returns the listed models to try for an operation, in the order of preference. `fixtures/discovery.yaml` defines
 * the order, the maximum number, and the models to avoid.
 */
export function selectCandidates(
  operation: string,
  listed: readonly string[],
  discovery: Fixtures['discovery'],
): string[] {
  const usable = listed.filter(
    (id) => !matchesModel(discovery.avoid, id) && !matchesModel(discovery.pattern, id),
  );
  const preferred = (discovery.prefer[operation] ?? []).flatMap((pattern) =>
    usable.filter((id) => matchesModel(pattern, id)),
  );
  const isLast = (id: string): boolean => matchesModel(discovery.last, id);
  const ordered = [...preferred.filter((id) => !isLast(id)), ...preferred.filter(isLast)];
  return [...new Set(ordered)].slice(0, discovery.tries);
}

/** The model IDs in the model list of a gateway, or the reason why the list could not be read. */
export type ModelListResult =
  | { readonly kind: 'read'; readonly ids: readonly string[]; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'unread'; readonly reason: string; readonly exchanges: readonly Exchange[] };

/**
 * Requests the model list with the valid key, with one accepted header after another until a request succeeds.
 * `controls` are the controls of the operation `models`. Resolves to the kind `unread` if no request succeeds or the
 * list cannot be read as JSON.
 */
export async function readModelList(
  controls: readonly PlannedCase[],
  sender: RoundSender,
): Promise<ModelListResult> {
  const exchanges: Exchange[] = [];
  for (const { attributes } of controls) {
    const exchange = await sendRequest(sender, { id: `models/list/header=${attributes.header}`, attributes });
    exchanges.push(exchange);
    if (!succeeded(exchange.result)) continue;
    const content = answerOf(exchange)?.content;
    if (content?.kind === 'json') return { kind: 'read', ids: extractModelIds(content.value), exchanges };
    const why = content?.kind === 'unreadable' ? content.reason : 'the body is not JSON';
    return { kind: 'unread', reason: `The model list cannot be read: ${why}.`, exchanges };
  }
  const last = exchanges.at(-1);
  const answer = last && answerOf(last);
  const seen = answer
    ? `the status was ${answer.status}`
    : last?.result.kind === 'failure'
      ? last.result.failure.detail
      : 'the plan has no request for the list';
  return { kind: 'unread', reason: `The model list cannot be read: ${seen}.`, exchanges };
}
