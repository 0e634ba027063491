import { pluralize } from '../../../common/lists.ts';
import { columnsOf, padTo } from '../../../common/wrap.ts';
import { isOperationId, type OperationId } from '../../catalog/operations.ts';
import { isKept } from '../../judge/outcome.ts';
import {
  cellGrades,
  goodGrades,
  gradeLooks,
  legendOf,
  type MatrixCell,
  untriedCell,
} from '../../view/auth-matrix.ts';
import type { FailedCheck } from '../../view/failures.ts';
import { type Mark, type MergedRow, markOfCell, mergeRows, withoutIdle } from '../../view/merge-rows.ts';
import type { Table } from '../../view/table.ts';
import type { View } from '../../view/view.ts';
import type { PageStyle } from './page.ts';
import { formatTableLines, type TableForm } from './table.ts';

const badGrades: readonly Mark['grade'][] = [
  'let-in',
  'server-error',
  'wrong-status',
  'wrong-body',
  'warning',
];
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
  'other-1': ['oth1', 'o1'],
  'other-2': ['oth2', 'o2'],
  'other-3': ['oth3', 'o3'],
  'other-4': ['oth4', 'o4'],
  'other-5': ['oth5', 'o5'],
  'other-6': ['oth6', 'o6'],
  'other-7': ['oth7', 'o7'],
  'other-8': ['oth8', 'o8'],
  'other-9': ['oth9', 'o9'],
};

const narrowest = 60;
/** The default maximum number of rows. If there are more rows, only the worst rows are shown. */
const mostRows = 24;

/**
 * Formats the results of each credential and operation as a grid of at most `most` rows, or of all rows with
 * `--verbose`. Returns no lines if no credential was sent or the page is too narrow. Without `--verbose`, also
 * returns no lines if no credential was judged, or if no result is wrong or inconclusive. Failures that the baseline
 * expects, and inconclusive results of a stopped run, do not count.
 */
export function formatGridLines(
  page: PageStyle,
  { report, matrix: whole, failedChecks }: View,
  most = mostRows,
): string[] {
  const isFine = whole.rows.every(({ cells }) =>
    cells.every((cell) => !cell || isKept(cell.outcome) || cell.outcome === 'not-applicable'),
  );
  if (page.width < narrowest || (isFine && !page.verbose)) return [];
  const matrix = withoutIdle(whole);
  const merged = mergeRows(matrix, createMarkOf(failedChecks));
  if (merged.length === 0) return [];
  const has = ({ marks }: MergedRow, grades: readonly Mark['grade'][]): boolean =>
    marks.some((mark) => mark && grades.includes(mark.grade));
  // In a stopped run, a cell may be inconclusive only because its requests were not sent.
  const isShown = (row: MergedRow): boolean =>
    has(row, badGrades) || (report.stopped === null && has(row, ['inconclusive']));
  const judged = merged.some((row) => has(row, [...goodGrades, ...badGrades]));
  if (!page.verbose && !(judged && merged.some(isShown))) return [];
  const limit = page.verbose ? Number.POSITIVE_INFINITY : most;
  const shown = merged.length > limit ? merged.filter(isShown) : merged;
  const rows = worstRows(shown, limit);
  const left = merged.length - rows.length;
  const table = createTable(matrix.operations, rows, left > 0 ? pluralize(left, 'more row') : undefined);
  return formatTableLines(page, table, formsOf(matrix.operations));
}

function createTable(
  operations: readonly string[],
  rows: readonly MergedRow[],
  rest: string | undefined,
): Table {
  const labels = labelsOf(rows);
  return {
    title: 'Credentials',
    corner: '',
    columns: operations.map((name) => ({ name, kind: 'word' })),
    rows: rows.map((row, index) => ({
      label: labels[index] ?? '',
      kind: 'word',
      cells: row.marks.map((mark) =>
        mark ? { text: mark.text, look: gradeLooks[mark.grade] } : untriedCell,
      ),
    })),
    rest,
    legend: legendOf(rows.flatMap(({ marks }) => marks)),
  };
}

function formsOf(operations: readonly string[]): TableForm[] {
  const named = (which: 0 | 1): string[][] =>
    operations.map((id) => [isOperationId(id) ? shortNames[id][which] : id]);
  const [short, shortest] = [named(0), named(1)];
  return [
    { names: operations.map((id) => [id]) },
    { names: short },
    { names: short, gap: ' ' },
    { names: short, gap: ' ', hasOnlySigns: true },
    { names: shortest, gap: ' ', hasOnlySigns: true },
  ].map((form) => ({ ...form, isCentred: true }));
}

function worstRows(rows: readonly MergedRow[], most: number): MergedRow[] {
  const rankOf = ({ marks }: MergedRow): number =>
    Math.min(...marks.map((mark) => (mark && mark.grade !== 'known' ? cellGrades.indexOf(mark.grade) : 99)));
  const worst = new Set([...rows].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, most));
  return rows.filter((row) => worst.has(row));
}

function createMarkOf(failedChecks: readonly FailedCheck[]): (cell: MatrixCell) => Mark {
  const unexpected = new Set(
    failedChecks.flatMap(({ known, item }) => (known === undefined ? [item.id] : [])),
  );
  return (cell) =>
    markOfCell(cell, badGrades.includes(cell.grade) && !cell.cases.some((id) => unexpected.has(id)));
}

function labelsOf(rows: readonly MergedRow[]): string[] {
  const indent = Math.max(...rows.map(({ header }) => columnsOf(header))) + 2;
  return rows.map(({ header, keys }, index) => {
    if (header === 'none') return 'no credential';
    const shown = rows[index - 1]?.header === header ? '' : header;
    return padTo(shown, indent) + keys;
  });
}
