import type { RecordingReport } from '../report/report.ts';
import type { Exchange } from '../send/exchange.ts';

/** Counts why things were not judged. */
export interface Reasons {
  readonly tell: (reason: string, exchange: Exchange) => void;
  /** The same of what is no exchange. */
  readonly skip: (reason: string, place: string) => void;
  /** Each reason once, the most frequent first. */
  readonly list: () => RecordingReport['notJudged'];
}

/** So many reasons are told apart; what a recording has may give each of its entries one of its own. */
const toldApart = 50;
const other = 'For other reasons.';

export function makeReasons(): Reasons {
  const counts = new Map<string, { count: number; readonly example: string }>();
  const skip = (reason: string, place: string): void => {
    const known = counts.get(reason);
    if (known) known.count += 1;
    else if (counts.size < toldApart || reason === other) counts.set(reason, { count: 1, example: place });
    else skip(other, place);
  };
  return {
    tell: (reason, exchange) => skip(reason, exchange.id),
    skip,
    list: () =>
      [...counts]
        .map(([reason, { count, example }]) => ({ reason, count, example }))
        .sort((a, b) => b.count - a.count),
  };
}
