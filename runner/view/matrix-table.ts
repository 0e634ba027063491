import { attributesOfPackage } from '../catalog/attributes.ts';
import { type AuthMatrix, combined, gradeLooks, legendOf, untriedCell } from './auth-matrix.ts';
import { type Mark, markOfCell, mergeRows, withoutIdle } from './merge-rows.ts';
import type { Cell, Row, Table } from './table.ts';

/** Lays out the matrix. Keys with the same results share a row. The label of a row is the place, and `about` the keys. */
export function layOutMatrix(matrix: AuthMatrix): Table {
  const { operations, rows } = withoutIdle(matrix);
  const merged = mergeRows({ operations, rows }, (cell) => markOfCell(cell, false));
  const layOutRow = (header: string, keys: string, marks: readonly (Mark | undefined)[]): Row => ({
    label: header,
    kind: 'code',
    about: keys,
    ...describeCredential(header, keys),
    cells: marks.map((mark, column) =>
      mark ? layOutCell(mark, `${header}, ${keys}, ${operations[column]}`) : untriedCell,
    ),
  });
  return {
    title: 'Credentials',
    corner: 'Place and key',
    columns: operations.map((name) => ({ name, kind: 'word', align: 'centre' })),
    rows: merged.map(({ header, keys, marks, members }) => ({
      ...layOutRow(header, keys, marks),
      ...(members.length > 1 && {
        members: members.map((member) => layOutRow(member.header, member.key, member.marks)),
      }),
    })),
    legend: legendOf(merged.flatMap(({ marks }) => marks)),
  };
}

/** Explains the names of a key and a place, unless a row stands for several. */
function describeCredential(header: string, key: string): Pick<Row, 'says'> {
  const { keyKinds, places } = attributesOfPackage();
  const kind = keyKinds.get(key)?.says;
  const place = places.get(header)?.says;
  if (kind === undefined || place === undefined) return {};
  return { says: (header === 'none' ? kind : `${kind} ${place}`).replaceAll('`', '') };
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
