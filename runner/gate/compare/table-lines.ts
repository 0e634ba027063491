import { signOf } from '../../report/terminal/outcome-signs.ts';
import type { Page } from '../../report/terminal/page.ts';
import { columnsOf, hang, padTo } from '../../report/wrap.ts';
import type { Comparison, RequirementOfTarget } from './comparison.ts';

/** What stands between two columns, and before a row. */
const gap = '  ';
const narrowestColumn = 4;

/** The requirements in which targets differ, a row for each and a column for each target; as letters where names are too long. */
export function tableLines(page: Page, { targets, differing }: Comparison): string[] {
  if (differing.length === 0) return [];
  const names = targets.map(({ name }) => name);
  const letters = names.map((_, index) => String.fromCharCode(65 + index));
  const ids = Math.max('Differing'.length, ...differing.map(({ id }) => id.length));
  const widthOf = (columns: readonly string[]): number =>
    gap.length + ids + columns.reduce((sum, column) => sum + gap.length + widthOfColumn(column), 0);
  const isShort = widthOf(names) > page.width;
  const columns = isShort ? letters : names;
  // Where not even letters fit, each requirement has a line of its own.
  const isStacked = widthOf(columns) > page.width;
  const row = (label: string, cells: string): string[] =>
    isStacked ? [gap + label, gap + gap + cells] : [`${gap}${label.padEnd(ids)}${cells}`];
  return [
    page.paint('bold', 'Differing') +
      (isStacked ? '' : ' '.repeat(ids + gap.length - 'Differing'.length)) +
      columns
        .map((column) => page.paint('dim', gap + padTo(column, widthOfColumn(column))))
        .join('')
        .trimEnd(),
    ...differing.flatMap((item) =>
      row(
        item.id,
        item.targets
          .map((own, index) => gap + cell(page, own, widthOfColumn(columns[index] ?? '')))
          .join('')
          .trimEnd(),
      ),
    ),
    ...(isShort
      ? hang(page, gap, page.paint('dim', names.map((name, index) => `${letters[index]} ${name}`).join(', ')))
      : []),
  ];
}

function widthOfColumn(name: string): number {
  return Math.max(narrowestColumn, columnsOf(name));
}

/** The sign of the outcome, and in how many cases it is broken. */
function cell(page: Page, { outcome, broken }: RequirementOfTarget, width: number): string {
  const count = broken > 0 ? ` ${broken}` : '';
  return signOf(page, outcome) + count.padEnd(width - 1);
}
