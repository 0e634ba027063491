import { readMember } from '../catalog/pointer.ts';
import type { Control } from './controls.ts';
import { answerOf, type Exchange } from './exchange.ts';
import type { SentControl } from './try-operation.ts';

/** Why the good key was accepted in none of these exchanges of an operation. */
export function failure(tries: readonly SentControl[], guessed: boolean): Control {
  const exchanges = tries.map(({ exchange }) => exchange);
  const [first] = exchanges;
  if (!first || guessed) return { kind: 'not-offered' };
  const all = (...statuses: number[]): boolean =>
    exchanges.every((exchange) => statuses.includes(answerOf(exchange)?.status ?? 0));
  // What is not found there was looked for by an endpoint that exists.
  if (all(404, 405) && !exchanges.some(saysNotFound)) return { kind: 'absent', exchange: first };
  if (all(401, 403)) return { kind: 'refused', exchange: first };
  const page = tries.find(({ isPage }) => isPage);
  if (page) return { kind: 'web-page', exchange: page.exchange };
  return {
    kind: 'failed',
    exchange: exchanges.find((exchange) => ![401, 403].includes(answerOf(exchange)?.status ?? 0)) ?? first,
  };
}

function saysNotFound(exchange: Exchange): boolean {
  const content = answerOf(exchange)?.content;
  return content?.kind === 'json' && readMember(content.value, '/error/code') === 'not_found';
}
