import { readMember } from '../../contract/pointer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isOperationId } from '../catalog/operations.ts';
import { readValueAt } from '../judge/locate.ts';
import { answerOf, type Exchange, succeeded } from '../transport/exchange.ts';

/** Returns the operations that the response proves to exist. A streamed operation and its plain operation prove each other. */
export function findOfferedOperations(exchange: Exchange, catalog: Catalog): readonly string[] {
  return provesEndpoint(exchange, catalog)
    ? listRelatedOperations(exchange.attributes.operation, catalog)
    : [];
}

/** Returns an operation with its streamed or plain counterpart. */
function listRelatedOperations(id: string | undefined, { operations }: Catalog): string[] {
  return Object.values(operations)
    .filter(
      (operation) =>
        id !== undefined &&
        (operation.id === id || operation.plain === id || operations[operation.id].plain === id),
    )
    .flatMap((operation) => [operation.id, operation.plain]);
}

/** Whether only an existing endpoint can send this response: a result of the operation, or an error of the gateway. */
function provesEndpoint(exchange: Exchange, { operations }: Catalog): boolean {
  const { operation = 'none' } = exchange.attributes;
  const answer = answerOf(exchange);
  if (!answer || !isOperationId(operation)) return false;
  if (answer.status === 400 || answer.status === 402) return true;
  const hasError = readValueAt(answer, '/error') !== undefined;
  if (answer.status === 403 || answer.status === 429) return hasError;
  const { shows, streams } = operations[operation];
  if (!succeeded(exchange.result)) return false;
  // Some servers return a web page for every path.
  const isPage = /^\s*</.test(answer.text) || /html/i.test(answer.headers['content-type'] ?? '');
  if (streams === 'always' || exchange.attributes.streamed === 'true') return !isPage;
  return (
    answer.content.kind === 'json' &&
    (shows === undefined || readMember(answer.content.value, shows) !== undefined)
  );
}
