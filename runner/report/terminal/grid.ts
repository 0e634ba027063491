import { isOperationId, type OperationId } from '../../catalog/operations.ts';
import { authMatrix, type MatrixCell } from '../auth-matrix.ts';
import type { Report } from '../report.ts';
import { hang } from '../wrap.ts';
import { type Mark, type MergedRow, mergeRows } from './merge-rows.ts';
import { outcomeSigns, type Sign } from './outcome-signs.ts';
import type { Page } from './page.ts';

const signs: Readonly<Record<NonNullable<Mark>, Sign>> = { ...outcomeSigns, known: ['≈', 'dim'] };
const untried: Sign = ['·', 'dim'];

/** What columns are called where their whole names are too long, by the room that there is. */
const shortNames: Readonly<Record<OperationId, readonly [string, string]>> = {
  chat: ['chat', 'ch'],
  responses: ['resp', 're'],
  models: ['list', 'li'],
  messages: ['msgs', 'ms'],
  generate: ['gen', 'ge'],
  streamGenerate: ['sgen', 'sg'],
  balance: ['bal', 'ba'],
  usage: ['use', 'us'],
  record: ['rec', 'rc'],
  internalError: ['err', 'er'],
};

const title = 'Credentials';
const narrowest = 60;
/** More rows than this are too many to be seen at once; those that are as they should be go. */
const mostRows = 24;

/** The authentication matrix as a grid, where some credential is not treated as it should be. */
export function gridLines(page: Page, report: Report): string[] {
  const matrix = authMatrix(report);
  const merged = mergeRows(matrix, makeMark(report));
  if (page.width < narrowest || merged.length === 0) return [];
  // Of a run that was stopped, what is open has only not been come to.
  const isShown = ({ marks }: MergedRow): boolean =>
    marks.some(isBad) || (report.stopped === null && marks.includes('inconclusive'));
  const judged = merged.some(({ marks }) => marks.includes('conforms') || marks.some(isBad));
  if (!page.verbose && !(judged && merged.some(isShown))) return [];
  const rows = merged.length > mostRows ? merged.filter(isShown).slice(0, mostRows) : merged;
  const labels = labelsOf(rows);
  const indent = Math.max(title.length, ...labels.map(({ length }) => length)) + 2;
  const naming = nameColumns(matrix.operations, page.width - indent);
  if (naming === undefined) return [];
  const { columns, gap } = naming;
  const line = (cells: readonly Sign[]): string =>
    cells
      .map((cell, column) => setCell(page, cell, columns[column] ?? ''))
      .join(gap)
      .trimEnd();
  const names = columns.map((name): Sign => [name, 'dim']);
  return [
    page.paint('bold', title) + ' '.repeat(indent - title.length) + line(names),
    ...rows.map(({ marks }, index) => (labels[index] ?? '').padEnd(indent) + line(marks.map(signOf))),
    ...legend(page, matrix.operations, columns, rows),
  ];
}

/** Tells what is broken as a baseline expects from what is not. */
function makeMark({ cases }: Report): (cell: MatrixCell) => Mark {
  const unexpected = new Set(
    cases
      .filter(({ obligations }) =>
        obligations.some(({ outcome, expected }) => isBad(outcome) && expected === undefined),
      )
      .map(({ id }) => id),
  );
  return ({ outcome, cases: ids }) =>
    isBad(outcome) && !ids.some((id) => unexpected.has(id)) ? 'known' : outcome;
}

function isBad(mark: Mark): boolean {
  return mark === 'violates' || mark === 'warns';
}

function labelsOf(rows: readonly MergedRow[]): string[] {
  const indent = Math.max(...rows.map(({ header }) => header.length)) + 2;
  return rows.map(({ header, keys }, index) => {
    if (header === 'none') return '  no credential';
    const shown = rows[index - 1]?.header === header ? '' : header;
    return `  ${shown.padEnd(indent)}${keys}`;
  });
}

interface Naming {
  readonly columns: readonly string[];
  /** What stands between two columns. */
  readonly gap: string;
}

/** The longest names for which there is room; undefined where there is none for any. */
function nameColumns(operations: readonly string[], room: number): Naming | undefined {
  const shortened = (which: 0 | 1): string[] =>
    operations.map((id) => (isOperationId(id) ? shortNames[id][which] : id));
  return [
    { columns: operations, gap: '  ' },
    { columns: shortened(0), gap: '  ' },
    { columns: shortened(1), gap: ' ' },
  ].find(({ columns, gap }) => columns.join(gap).length <= room);
}

function setCell({ paint }: Page, [sign, colour]: Sign, name: string): string {
  const left = Math.floor((name.length - sign.length) / 2);
  return ' '.repeat(left) + paint(colour, sign) + ' '.repeat(name.length - sign.length - left);
}

/** What the short names and the signs stand for, of those that are used. */
function legend(
  page: Page,
  operations: readonly string[],
  columns: readonly string[],
  rows: readonly MergedRow[],
): string[] {
  const short = operations.flatMap((id, index) => (columns[index] === id ? [] : [`${columns[index]} ${id}`]));
  const used = new Set(rows.flatMap(({ marks }) => marks).map(signOf));
  const meanings = [...Object.entries(signs), ['not tried', untried] as const].flatMap(([meaning, sign]) =>
    used.has(sign) ? [`${sign[0]} ${meaning}`] : [],
  );
  return [short, meanings]
    .filter((parts) => parts.length > 0)
    .flatMap((parts) => hang(page, '  ', parts.join(', ')))
    .map((text) => page.paint('dim', text));
}

function signOf(mark: Mark): Sign {
  return mark === undefined ? untried : signs[mark];
}
