import { formatCode } from '../../common/markdown-text.ts';
import type { Table } from '../view/table.ts';

const rules = { left: '---', centre: ':-:', right: '--:' };

export function formatTableAsMarkdown({ corner, columns, rows, rest }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line([corner, ...columns.map(({ name, kind }) => textOf(name, kind))]).replace(/^\| {2}\|/, '| |'),
    `|---|${columns.map(({ align }) => rules[align ?? 'left']).join('|')}|`,
    ...rows.map(({ label, kind, about, cells }) =>
      line([
        textOf(label, kind) + (about === undefined ? '' : ` ${textOf(about, kind)}`),
        ...cells.map(({ emoji, text }) => (emoji === undefined ? text : `${emoji} ${text}`)),
      ]),
    ),
    ...(rest === undefined ? [] : ['', `*and ${rest}*`]),
  ].join('\n');
}

/** Formats a text for a cell, in which a vertical bar would end the cell. */
function textOf(text: string, kind: 'word' | 'code'): string {
  return (kind === 'code' ? formatCode(text) : text).replaceAll('|', '\\|');
}
