import { groupBy, pluralize } from '../../../common/lists.ts';
import { columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import { isOperationId, type OperationId } from '../../catalog/operations.ts';
import { isFailed } from '../../judge/outcome.ts';
import type { Report } from '../../report/report.ts';
import {
  type AuthMatrix,
  cellGrades,
  combinedNote,
  createAuthMatrix,
  gradeLabels,
  listMatrixCases,
  type MatrixCell,
} from '../../view/auth-matrix.ts';
import { type Mark, type MergedRow, markOfCell, mergeRows } from './merge-rows.ts';
import type { PageStyle, Sign } from './page.ts';

const colours: Readonly<Record<Mark['grade'], Sign[1]>> = {
  'let-in': 'red',
  'server-error': 'red',
  'wrong-status': 'red',
  'wrong-body': 'yellow',
  warning: 'yellow',
  inconclusive: 'yellow',
  right: 'green',
  'not-applicable': 'dim',
  known: 'dim',
};
const badGrades: readonly Mark['grade'][] = [
  'let-in',
  'server-error',
  'wrong-status',
  'wrong-body',
  'warning',
];
const untriedSign: Sign = ['·', 'dim'];

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
/** The default maximum number of rows. If there are more rows, only the worst rows are shown. */
const mostRows = 24;

/**
 * Formats the results of each credential and operation as a grid of at most `most` rows, or of all rows with
 * `--verbose`. Returns no lines if no credential was sent or the page is too narrow. Without `--verbose`, also
 * returns no lines if no credential was judged, or if no result is wrong or inconclusive. Failures that the baseline
 * expects, and inconclusive results of a stopped run, do not count.
 */
export function formatGridLines(page: PageStyle, report: Report, most = mostRows): string[] {
  const isFine = !listMatrixCases(report).some(
    ({ outcome }) => outcome !== 'conforms' && outcome !== 'not-applicable',
  );
  if (page.width < narrowest || (isFine && !page.verbose)) return [];
  const matrix = withoutIdle(createAuthMatrix(report));
  const merged = mergeRows(matrix, createMarkOf(report));
  if (merged.length === 0) return [];
  const has = ({ marks }: MergedRow, grades: readonly Mark['grade'][]): boolean =>
    marks.some((mark) => mark && grades.includes(mark.grade));
  // In a stopped run, a cell may be inconclusive only because its requests were not sent.
  const isShown = (row: MergedRow): boolean =>
    has(row, badGrades) || (report.stopped === null && has(row, ['inconclusive']));
  const judged = merged.some((row) => has(row, ['right', ...badGrades]));
  if (!page.verbose && !(judged && merged.some(isShown))) return [];
  const limit = page.verbose ? Number.POSITIVE_INFINITY : most;
  const shown = merged.length > limit ? merged.filter(isShown) : merged;
  const rows = worstRows(shown, limit);
  const labels = labelsOf(rows);
  const indent = Math.max(title.length, ...labels.map(columnsOf)) + 2;
  const layout = layOut(matrix.operations, rows, page.width - indent);
  if (layout === undefined) return [];
  const line = (cells: readonly Sign[]): string =>
    cells
      .map((cell, column) => setCell(page, cell, layout.widths[column] ?? 0))
      .join(layout.gap)
      .trimEnd();
  const left = merged.length - rows.length;
  return [
    page.paint('bold', title) +
      ' '.repeat(indent - title.length) +
      line(layout.names.map((name): Sign => [name, 'dim'])),
    ...rows.map(
      ({ marks }, index) =>
        padTo(labels[index] ?? '', indent) + line(marks.map((mark) => signOf(mark, layout))),
    ),
    ...(left > 0 ? [page.paint('dim', `  and ${pluralize(left, 'more row')} (--verbose shows all)`)] : []),
    ...legend(page, matrix.operations, layout, rows),
  ];
}

/**
 * Returns the matrix without the operations to which no credential was sent, and without the credentials that were not
 * sent.
 */
function withoutIdle({ operations, rows }: AuthMatrix): AuthMatrix {
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

function worstRows(rows: readonly MergedRow[], most: number): MergedRow[] {
  const rankOf = ({ marks }: MergedRow): number =>
    Math.min(...marks.map((mark) => (mark && mark.grade !== 'known' ? cellGrades.indexOf(mark.grade) : 99)));
  const worst = new Set([...rows].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, most));
  return rows.filter((row) => worst.has(row));
}

function createMarkOf({ cases }: Report): (cell: MatrixCell) => Mark {
  const unexpected = new Set(
    cases
      .filter(({ checks }) =>
        checks.some(({ outcome, expected }) => isFailed(outcome) && expected === undefined),
      )
      .map(({ id }) => id),
  );
  return (cell) =>
    markOfCell(cell, badGrades.includes(cell.grade) && !cell.cases.some((id) => unexpected.has(id)));
}

function labelsOf(rows: readonly MergedRow[]): string[] {
  const indent = Math.max(...rows.map(({ header }) => columnsOf(header))) + 2;
  return rows.map(({ header, keys }, index) => {
    if (header === 'none') return '  no credential';
    const shown = rows[index - 1]?.header === header ? '' : header;
    return `  ${padTo(shown, indent)}${keys}`;
  });
}

interface Layout {
  readonly names: readonly string[];
  readonly widths: readonly number[];
  readonly gap: string;
  readonly hasStatuses: boolean;
}

function layOut(operations: readonly string[], rows: readonly MergedRow[], room: number): Layout | undefined {
  const named = (which: 0 | 1): string[] =>
    operations.map((id) => (isOperationId(id) ? shortNames[id][which] : id));
  const [short, shortest] = [named(0), named(1)];
  const layouts = [
    { names: operations, gap: '  ', hasStatuses: true },
    { names: short, gap: '  ', hasStatuses: true },
    { names: short, gap: ' ', hasStatuses: true },
    { names: short, gap: ' ', hasStatuses: false },
    { names: shortest, gap: ' ', hasStatuses: false },
  ].map((layout): Layout => {
    const widths = layout.names.map((name, column) =>
      Math.max(columnsOf(name), ...rows.map(({ marks }) => columnsOf(signOf(marks[column], layout)[0]))),
    );
    return { ...layout, widths };
  });
  return layouts.find(({ widths, gap }) => {
    const width = widths.reduce((sum, own) => sum + own, 0);
    return width + gap.length * (widths.length - 1) <= room;
  });
}

function setCell({ paint }: PageStyle, [text, colour]: Sign, width: number): string {
  const space = width - columnsOf(text);
  const left = Math.floor(space / 2);
  return ' '.repeat(left) + paint(colour, text) + ' '.repeat(space - left);
}

function legend(
  page: PageStyle,
  operations: readonly string[],
  { names }: Layout,
  rows: readonly MergedRow[],
): string[] {
  const short = operations.flatMap((id, index) => (names[index] === id ? [] : [`${names[index]} ${id}`]));
  const marks = rows.flatMap((row) => row.marks);
  const used = new Set(marks.map((mark) => mark?.grade));
  const shown = cellGrades.filter((grade) => used.has(grade)).map((grade) => gradeLabels[grade]);
  const meanings = [
    ...groupBy(shown, ({ sign }) => sign).map(
      ([sign, own]) => `${sign} ${own.map(({ word }) => word).join(' or ')}`,
    ),
    ...(used.has('known') ? ['≈ expected (baseline)'] : []),
    ...(used.has(undefined) ? ['· not tried'] : []),
  ];
  const star = marks.some((mark) => mark?.text.endsWith('*')) ? [`* ${combinedNote}`] : [];
  return [short, [...meanings, ...star]]
    .filter((parts) => parts.length > 0)
    .flatMap((parts) => wrapWords(page, '  ', parts.join(', ')))
    .map((text) => page.paint('dim', text));
}

function signOf(mark: Mark | undefined, { hasStatuses }: Pick<Layout, 'hasStatuses'>): Sign {
  if (!mark) return untriedSign;
  return [hasStatuses ? mark.text : mark.text.slice(0, 1), colours[mark.grade]];
}
