import { groupBy } from '../../../common/lists.ts';
import { columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import { type Cell, partGap, type Row, type Table } from '../../view/table.ts';
import type { PageStyle } from './page.ts';

/** One of the forms that a table can have in a terminal. */
export interface TableForm {
  /** The lines with the name of each column, or with a shorter name that the legend explains. */
  readonly names: readonly (readonly string[])[];
  /** The text between two columns. Default: two spaces. */
  readonly gap?: string;
  /** The least width of a column. Default: 0. */
  readonly narrowest?: number;
  readonly isCentred?: boolean;
  readonly hasOnlySigns?: boolean;
  /** Whether the cells of a row are on a line of their own. */
  readonly isStacked?: boolean;
  /** Whether each cell is on a line of its own, with the name of its column. Such a form fits any page. */
  readonly isListed?: boolean;
}

/** Formats a table in the first form that fits the page. Returns no lines if none fits. */
export function formatTableLines(page: PageStyle, table: Table, forms: readonly TableForm[]): string[] {
  const shown = page.verbose ? table : { ...table, rows: table.rows.map(withoutMore) };
  const labels = shown.rows.map(({ label }) => columnsOf(label) + 2);
  const indent = Math.max(table.title.length, ...labels) + 2;
  const form = forms.find((one) => {
    const widths = widthsOf(shown, one);
    const gaps = gapOf(one).length * (widths.length - 1);
    const beginning = one.isStacked ? 4 : indent;
    return one.isListed || beginning + widths.reduce((sum, width) => sum + width, gaps) <= page.width;
  });
  if (!form || form.names.length === 0) return [];
  return form.isListed ? layOutList(page, shown, form) : layOut(page, shown, form, indent);
}

/** Replaces what follows a text on demand by its number. */
function withoutMore(row: Row): Row {
  return {
    ...row,
    cells: row.cells.map(({ more = [], ...cell }) =>
      more.length === 0 ? cell : { ...cell, text: `${cell.text} and ${more.length} more` },
    ),
  };
}

function layOutList(page: PageStyle, table: Table, form: TableForm): string[] {
  const names = form.names.map((lines) => lines.join(''));
  const width = Math.max(...names.map(columnsOf));
  return [
    page.paint('bold', table.title),
    ...table.rows.flatMap(({ label, cells }) => [
      ...wrapWords(page, '  ', label, 2),
      ...cells.flatMap((cell, column) =>
        wrapWords(
          page,
          `    ${page.paint('dim', padTo(names[column] ?? '', width))}  `,
          paintCell(page, cell, textOf(cell, form)),
        ).map((line) => line.trimEnd()),
      ),
    ]),
    ...restLines(page, table),
    ...legendLines(page, [listMeanings(table)]),
  ];
}

function restLines(page: PageStyle, { rest }: Table): string[] {
  return rest === undefined ? [] : [page.paint('dim', `  and ${rest} (--verbose shows all)`)];
}

function layOut(page: PageStyle, table: Table, form: TableForm, indent: number): string[] {
  const widths = widthsOf(table, form);
  const line = (label: string, labelWidth: number, cells: readonly string[]): string =>
    (label + ' '.repeat(labelWidth) + cells.join(gapOf(form))).trimEnd();
  const height = Math.max(...form.names.map((lines) => lines.length));
  const heads = Array.from({ length: height }, (_, index) => {
    const cells = form.names.map((lines, column) =>
      setText(lines[index] ?? '', widths[column] ?? 0, form, (text) => page.paint('dim', text)),
    );
    const isTitled = index === 0 && !form.isStacked;
    return isTitled
      ? line(page.paint('bold', table.title), indent - table.title.length, cells)
      : line('', form.isStacked ? 4 : indent, cells);
  });
  const rows = table.rows.flatMap(({ label, cells }) => {
    const set = cells.map((cell, column) =>
      setText(textOf(cell, form), widths[column] ?? 0, form, (text) => paintCell(page, cell, text)),
    );
    return form.isStacked
      ? [`  ${label}`, line('', 4, set)]
      : [line(`  ${label}`, indent - 2 - columnsOf(label), set)];
  });
  const shortened = form.names.flatMap((lines, column) => {
    const [name, full] = [lines.join(''), table.columns[column]?.name];
    return name === full ? [] : [`${name} ${full}`];
  });
  return [
    ...(form.isStacked ? [page.paint('bold', table.title)] : []),
    ...heads,
    ...rows,
    ...restLines(page, table),
    ...legendLines(page, [shortened, listMeanings(table)]),
  ];
}

function legendLines(page: PageStyle, legends: readonly (readonly string[])[]): string[] {
  return legends
    .filter((parts) => parts.length > 0)
    .flatMap((parts) => wrapWords(page, '  ', parts.join(', ')))
    .map((text) => page.paint('dim', text));
}

/** Lists the signs with their meanings, each sign once. */
function listMeanings({ legend = [] }: Table): string[] {
  return groupBy(legend, ({ sign }) => sign).map(
    ([sign, own]) => `${sign} ${own.map(({ word }) => word).join(' or ')}`,
  );
}

const gapOf = ({ gap = '  ' }: TableForm): string => gap;

function textOf({ text, look, more = [] }: Cell, { hasOnlySigns }: TableForm): string {
  return hasOnlySigns ? text.slice(0, look?.sign.length) : [text, ...more].join(', ');
}

function paintCell(page: PageStyle, { look, parts, text: whole }: Cell, text: string): string {
  if (parts && text === whole) return parts.map((part) => paintCell(page, part, part.text)).join(partGap);
  return look && text !== '' ? page.paint(look.colour, text) : text;
}

function widthsOf({ rows }: Table, form: TableForm): number[] {
  return form.names.map((lines, column) =>
    Math.max(
      form.narrowest ?? 0,
      ...lines.map(columnsOf),
      ...rows.map(({ cells }) => columnsOf(cells[column] ? textOf(cells[column], form) : '')),
    ),
  );
}

/** Pads a text to the width of its column. */
function setText(
  text: string,
  width: number,
  { isCentred }: TableForm,
  paint: (text: string) => string,
): string {
  const space = Math.max(0, width - columnsOf(text));
  const left = isCentred ? Math.floor(space / 2) : 0;
  return ' '.repeat(left) + paint(text) + ' '.repeat(space - left);
}
