import { groupBy } from '../../common/lists.ts';
import { type AuthMatrix, type CellGrade, formatCell, goodGrades, type MatrixCell } from './auth-matrix.ts';

/** The result of a credential in an operation. */
export interface Mark {
  /** The grade of the result; `known` if the result is a failure that the baseline expects. */
  readonly grade: CellGrade | 'known';
  readonly text: string;
  readonly isCombined: boolean;
  /** The cells that have this result, one for each key. */
  readonly cells: readonly MatrixCell[];
}

/** The results of a key in a header; undefined for an operation to which the key was not sent. */
export interface MarkedKey {
  readonly header: string;
  readonly key: string;
  readonly marks: readonly (Mark | undefined)[];
}

/** A row of the grid: keys without different results in any operation, in one header or in several headers. */
export interface MergedRow {
  readonly header: string;
  /** The names of one or two keys, or a summary of more keys, such as `unknown +3` or `all 5 tested`. */
  readonly keys: string;
  /** A mark for each operation; undefined if none of the keys was sent to the operation. */
  readonly marks: readonly (Mark | undefined)[];
  /** What the row stands for. */
  readonly members: readonly MarkedKey[];
}

/** The maximum number of keys that a row names. */
const namedKeys = 2;

/** Returns the mark of a cell. `isKnown` states whether the baseline expects the failures in the cell. */
export function markOfCell(cell: MatrixCell, isKnown: boolean): Mark {
  const grade = isKnown ? 'known' : cell.grade;
  return { grade, text: formatCell(cell, grade), isCombined: cell.isCombined, cells: [cell] };
}

/**
 * Returns the rows of a matrix. Keys of a header share a row if their marks are equal. If a key was not sent to an
 * operation, a good mark or a mark `not-applicable` of the other keys counts as equal. Headers share a row only if the
 * headers were sent to the same operations. Otherwise, a row would show that an operation accepts a header that was
 * not sent.
 */
export function mergeRows({ rows }: AuthMatrix, markOf: (cell: MatrixCell) => Mark): MergedRow[] {
  const headers = [...new Set(rows.map(({ header }) => header))];
  const merged = headers.map((header) => {
    const own = rows.filter((row) => row.header === header);
    const marked = own.map(({ key, cells }): NamedItem => {
      const marks = cells.map((cell) => cell && markOf(cell));
      return { name: key, marks, members: [{ header, key, marks }] };
    });
    return { header, own: own.length, groups: mergeAlike(marked, isCompatible) };
  });
  const isSingle = ({ header, groups }: (typeof merged)[number]): boolean =>
    header !== 'none' && groups.length === 1;
  const singles = merged.filter(isSingle).map(({ header, own, groups: [only] }) => ({
    name: header,
    keys: nameKeys(only?.names ?? [], own, true),
    marks: only?.marks ?? [],
    members: only?.members ?? [],
  }));
  return [
    ...merged
      .filter((item) => !isSingle(item))
      .flatMap(({ header, own, groups }) => rowsOf(header, own, groups)),
    ...groupBy(singles, ({ keys }) => keys)
      .flatMap(([, own]) => mergeAlike(own, isEqual))
      .map(({ names, first, marks, members }) => ({
        header: names.length > 1 ? `${names[0]} +${names.length - 1}` : (names[0] ?? ''),
        keys: first.keys,
        marks,
        members,
      })),
  ];
}

interface NamedItem {
  readonly name: string;
  readonly marks: readonly (Mark | undefined)[];
  readonly members: readonly MarkedKey[];
}

interface ItemGroup<T> {
  readonly names: string[];
  readonly first: T;
  readonly members: MarkedKey[];
  marks: readonly (Mark | undefined)[];
}

type Compare = (one: Mark | undefined, other: Mark | undefined) => boolean;

/** Groups items whose marks are alike in each column. A group has the marks of all its items. */
function mergeAlike<T extends NamedItem>(items: readonly T[], isAlike: Compare): ItemGroup<T>[] {
  const groups: ItemGroup<T>[] = [];
  for (const item of items) {
    const alike = groups.find(({ marks }) =>
      item.marks.every((mark, column) => isAlike(mark, marks[column])),
    );
    if (alike) {
      alike.names.push(item.name);
      alike.members.push(...item.members);
      alike.marks = item.marks.map((mark, column) => joinMarks(alike.marks[column], mark));
    } else groups.push({ names: [item.name], first: item, members: [...item.members], marks: item.marks });
  }
  return groups;
}

function joinMarks(one: Mark | undefined, other: Mark | undefined): Mark | undefined {
  return one && other ? { ...other, cells: [...one.cells, ...other.cells] } : (other ?? one);
}

/** Returns the rows of a header. The row with the most keys is last. */
function rowsOf(header: string, own: number, groups: readonly ItemGroup<NamedItem>[]): MergedRow[] {
  const most = Math.max(...groups.map(({ names }) => names.length));
  const rest = groups.find(({ names }) => names.length === most);
  return [...groups.filter((group) => group !== rest), ...(rest ? [rest] : [])].map((group) => ({
    header,
    keys: nameKeys(group.names, own, group === rest),
    marks: group.marks,
    members: group.members,
  }));
}

const isEqual: Compare = (one, other) => one?.text === other?.text && one?.grade === other?.grade;

/**
 * Two marks are alike if the marks are equal, or if one mark does not exist and the other mark is good or
 * `not-applicable`.
 */
const isCompatible: Compare = (one, other) =>
  one && other ? isEqual(one, other) : isUnsuspicious(one ?? other);

function isUnsuspicious(mark: Mark | undefined): boolean {
  return mark === undefined || goodGrades.includes(mark.grade) || mark.grade === 'not-applicable';
}

function nameKeys(keys: readonly string[], all: number, isRest: boolean): string {
  if (keys.length <= namedKeys) return keys.join(', ');
  if (!isRest) return `${keys[0]} +${keys.length - 1}`;
  return keys.length === all ? `all ${all} tested` : `the other ${keys.length}`;
}

/**
 * Returns the matrix without the operations to which no credential was sent, and without the credentials that were not
 * sent.
 */
export function withoutIdle({ operations, rows }: AuthMatrix): AuthMatrix {
  const isSent = (cell: MatrixCell | undefined): boolean =>
    cell !== undefined && cell.grade !== 'not-applicable';
  const used = operations.map((_, column) => rows.some(({ cells }) => isSent(cells[column])));
  return {
    operations: operations.filter((_, column) => used[column]),
    rows: rows
      .filter(({ cells }) => cells.some(isSent))
      .map((row) => ({ ...row, cells: row.cells.filter((_, column) => used[column]) })),
  };
}
