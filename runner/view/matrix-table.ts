import { attributesOfPackage } from '../catalog/attributes.ts';
import { type AuthMatrix, combined, gradeLooks, legendOf, untriedCell } from './auth-matrix.ts';
import { type Mark, type MarkedKey, markOfCell, mergeRows, withoutIdle } from './merge-rows.ts';
import type { Cell, Row, Table } from './table.ts';

/** Lays out the matrix. Keys with the same results share a row. The label of a row is the place, and `about` the keys. */
export function layOutMatrix(matrix: AuthMatrix): Table {
  const { operations, rows } = withoutIdle(matrix);
  const merged = mergeRows({ operations, rows }, (cell) => markOfCell(cell, false));
  const layOutRow = (headers: readonly string[], keys: string, marks: MarkedKey['marks']): Row => {
    const [first = ''] = headers;
    const place = nameOfPlace(first) + (headers.length > 1 ? ` +${headers.length - 1}` : '');
    const credential = [place.replaceAll('`', ''), keys].filter((name) => name !== 'none').join(', ');
    return {
      label: place,
      kind: 'prose',
      about: first === 'none' ? '' : keys,
      ...(headers.length === 1 && describeCredential(first, keys)),
      cells: marks.map((mark, column) =>
        mark ? layOutCell(mark, `${credential}, ${operations[column]}`) : untriedCell,
      ),
    };
  };
  return {
    title: 'Credentials',
    corner: 'Place and key',
    columns: operations.map((name) => ({ name, kind: 'word', align: 'centre' })),
    rows: merged.map(({ keys, marks, members }) => {
      const headers = [...new Set(members.map(({ header }) => header))];
      return {
        ...layOutRow(headers, keys, marks),
        ...(members.length > 1 && {
          members: members.map(({ header, key, marks }) => ({
            ...layOutRow([header], key, marks),
            // Below a row of several places, the key of the row is that of each.
            ...(headers.length > 1 && key === keys && { about: '' }),
          })),
        }),
      };
    }),
    legend: legendOf(merged.flatMap(({ marks }) => marks)),
  };
}

/** Names a place of a key as the titles of causes do, without `in`. */
function nameOfPlace(header: string): string {
  if (header === 'none') return 'no credential';
  if (header === 'any') return 'the usual header';
  return attributesOfPackage().places.get(header)?.says.replace(/^in /, '') ?? header;
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
