import type { PlannedCase } from '../plan/plan.ts';
import { deliver, type Sender } from './deliver.ts';
import { listedModels } from './discover.ts';
import { answerOf, type Exchange, succeeded } from './exchange.ts';

/** The models that a gateway lists, or why nobody can tell. */
export type ModelList =
  | { readonly kind: 'read'; readonly ids: readonly string[]; readonly exchanges: readonly Exchange[] }
  | { readonly kind: 'unread'; readonly reason: string; readonly exchanges: readonly Exchange[] };

/** Reads the model list with the good key, in one accepted header after the other until one is taken. */
export async function readModelList(controls: readonly PlannedCase[], sender: Sender): Promise<ModelList> {
  const exchanges: Exchange[] = [];
  for (const { facts } of controls.filter((item) => item.facts.operation === 'models')) {
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
