import type { RecordingReport } from '../report/report.ts';

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
