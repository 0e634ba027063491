import { readMember } from '../../contract/pointer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isOperationId } from '../catalog/operations.ts';
import { valueAt } from '../judge/locate.ts';
import type { RecordingReport } from '../report/report.ts';
import { answerOf, type Exchange, succeeded } from '../transport/exchange.ts';

/** The operations that an exchange shows to be offered: a stream with its plain call, and neither where it shows nothing. */
export function offeredBy(exchange: Exchange, catalog: Catalog): readonly string[] {
  return proves(exchange, catalog) ? operationsOf(exchange.facts.operation, catalog) : [];
}

/** An operation and that which is offered with it: a stream and its plain call. */
function operationsOf(id: string | undefined, { operations }: Catalog): string[] {
  return Object.values(operations)
    .filter(
      (operation) =>
        id !== undefined &&
        (operation.id === id || operation.plain === id || operations[operation.id].plain === id),
    )
    .flatMap((operation) => [operation.id, operation.plain]);
}

/** Whether an answer can only come of an endpoint that is there: one of the operation's form, or an error of its own. */
function proves(exchange: Exchange, { operations }: Catalog): boolean {
  const { operation = 'none' } = exchange.facts;
  const answer = answerOf(exchange);
  if (!answer || !isOperationId(operation)) return false;
  if (answer.status === 400 || answer.status === 402) return true;
  const hasError = valueAt(answer, '/error') !== undefined;
  if (answer.status === 403 || answer.status === 429) return hasError;
  const { shows, streams } = operations[operation];
  if (!succeeded(exchange.result)) return false;
  // Some servers answer every path with a page.
  const isPage = /^\s*</.test(answer.text) || /html/i.test(answer.headers['content-type'] ?? '');
  if (streams === 'always' || exchange.facts.streamed === 'true') return !isPage;
  return (
    answer.content.kind === 'json' &&
    (shows === undefined || readMember(answer.content.value, shows) !== undefined)
  );
}

/** Counts why things were not judged. */
export interface Reasons {
  /** `place` is where it stands. */
  readonly tell: (reason: string, place: string) => void;
  /** Each reason once, the most frequent first. */
  readonly list: () => RecordingReport['notJudged'];
}

/** So many reasons are told apart; what a recording has may give each of its entries one of its own. */
const toldApart = 50;
const other = 'For other reasons.';

export function makeReasons(): Reasons {
  const counts = new Map<string, { count: number; readonly example: string }>();
  const tell = (reason: string, place: string): void => {
    const known = counts.get(reason);
    if (known) known.count += 1;
    else if (counts.size < toldApart || reason === other) counts.set(reason, { count: 1, example: place });
    else tell(other, place);
  };
  return {
    tell,
    list: () =>
      [...counts]
        .map(([reason, { count, example }]) => ({ reason, count, example }))
        .sort((a, b) => b.count - a.count),
  };
}
