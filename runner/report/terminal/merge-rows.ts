import type { Outcome } from '../../judge/outcome.ts';
import type { AuthMatrix, MatrixCell } from '../auth-matrix.ts';

/** What became of a credential on an operation; `known` where it is broken as a baseline expects, undefined where it was not tried. */
export type Mark = Outcome | 'known' | undefined;

/** The keys of one header that came out alike on every operation on which they were tried. */
export interface MergedRow {
  readonly header: string;
  /** What the keys are together called. */
  readonly keys: string;
  readonly marks: readonly Mark[];
}

/** Keys that came out alike are named up to so many; more are called all, or the others. */
const namedKeys = 2;

/** The rows of a matrix, those of one header made one where no mark tells them apart; the one with most keys last. */
export function mergeRows({ rows }: AuthMatrix, markOf: (cell: MatrixCell) => Mark): MergedRow[] {
  const headers = [...new Set(rows.map(({ header }) => header))];
  return headers.flatMap((header) => {
    const own = rows.filter((row) => row.header === header);
    const merged: { keys: string[]; marks: Mark[] }[] = [];
    for (const { key, cells } of own) {
      const marks = cells.map((cell) => cell && markOf(cell));
      const alike = merged.find((entry) => marks.every((mark, column) => isAlike(mark, entry.marks[column])));
      if (alike) {
        alike.keys.push(key);
        alike.marks = marks.map((mark, column) => mark ?? alike.marks[column]);
      } else merged.push({ keys: [key], marks });
    }
    const most = Math.max(...merged.map(({ keys }) => keys.length));
    const rest = merged.find(({ keys }) => keys.length === most);
    return [...merged.filter((entry) => entry !== rest), ...(rest ? [rest] : [])].map((entry) => ({
      header,
      keys: nameKeys(entry.keys, own.length, entry === rest),
      marks: entry.marks,
    }));
  });
}

function isAlike(one: Mark, other: Mark): boolean {
  return one === undefined || other === undefined || one === other;
}

function nameKeys(keys: readonly string[], all: number, isRest: boolean): string {
  if (keys.length <= namedKeys || !isRest) return keys.join(', ');
  return keys.length === all ? `all ${all} keys` : `the other ${keys.length}`;
}
