import { type AuthMatrix, combined, gradeLooks, legendOf, untriedCell } from './auth-matrix.ts';
import { type Mark, markOfCell, mergeRows, withoutIdle } from './merge-rows.ts';
import type { Cell, Table } from './table.ts';

/** Lays out the matrix. Keys with the same results share a row. The label of a row is the place, and `about` the keys. */
export function layOutMatrix(matrix: AuthMatrix): Table {
  const { operations, rows } = withoutIdle(matrix);
  const merged = mergeRows({ operations, rows }, (cell) => markOfCell(cell, false));
  return {
    title: 'Credentials',
    corner: 'Place and key',
    columns: operations.map((name) => ({ name, kind: 'word', align: 'centre' })),
    rows: merged.map(({ header, keys, marks }) => ({
      label: header,
      kind: 'code',
      about: keys,
      cells: marks.map((mark, column) =>
        mark ? layOutCell(mark, `${header}, ${keys}, ${operations[column]}`) : untriedCell,
      ),
    })),
    legend: legendOf(merged.flatMap(({ marks }) => marks)),
  };
}

function layOutCell({ grade, text, isCombined, cells }: Mark, label: string): Cell {
  const statuses = [...new Set(cells.flatMap((cell) => cell.statuses))].sort((a, b) => a - b);
  const cases = cells.flatMap((cell) => cell.cases);
  const [example] = cells.map((cell) => cell.example);
  const seen = statuses.length > 1 ? `, statuses ${statuses.join(', ')}` : '';
  const count = cases.length === 1 ? '' : `, ${cases.length} cases`;
  const star = isCombined ? `, ${combined.word}` : '';
  return {
    text,
    look: gradeLooks[grade],
    tone: `grade-${grade}`,
    says: `${text} ${gradeLooks[grade].word}: ${label}${count}${seen}${star}`,
    ...(example !== undefined && { case: example }),
  };
}
