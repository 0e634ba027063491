import { formatCode, formatProse } from '../../common/markdown-text.ts';
import type { Cell, Kind, Table } from '../view/table.ts';

const rules = { left: '---', centre: ':-:', right: '--:' };

/**
 * Formats a table as Markdown. If it is longer than `longest` characters, the last rows are left out and counted. A
 * text from a response has no effect, and is cut off after `longestCell` characters.
 */
export function formatTableAsMarkdown(
  { corner, columns, rows, rest }: Table,
  longest = Number.POSITIVE_INFINITY,
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const lines = rows.map(({ label, kind, about, cells }) =>
    line([
      textOf(label, kind) + (about === undefined ? '' : ` ${textOf(about, kind)}`),
      ...cells.map(formatCell),
    ]),
  );
  let length = 0;
  const shown = lines.filter((text) => {
    length += text.length + 1;
    return length <= longest;
  });
  const left = lines.length - shown.length;
  const omitted = left > 0 ? `${left} more` : rest;
  return [
    line([corner, ...columns.map(({ name, kind }) => textOf(name, kind))]).replace(/^\| {2}\|/, '| |'),
    `|---|${columns.map(({ align }) => rules[align ?? 'left']).join('|')}|`,
    ...shown,
    ...(omitted === undefined ? [] : ['', `*and ${omitted}*`]),
  ].join('\n');
}

const longestCell = 80;

function formatCell({ emoji, text, kind = 'word', more = [] }: Cell): string {
  const shown = kind === 'code' ? textOf(text, kind, longestCell) : text;
  const marked = emoji === undefined ? shown : `${emoji} ${shown}`;
  return more.length === 0 ? marked : `${marked} and ${more.length} more`;
}

/** Formats a text for a cell, in which a vertical bar would end the cell. */
function textOf(text: string, kind: Kind, longestText?: number): string {
  if (kind === 'prose') return formatProse(text).replace(/\\?\|/g, '\\|');
  return (kind === 'code' ? formatCode(text, longestText) : text).replaceAll('|', '\\|');
}
