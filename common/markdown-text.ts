import { formatOneLine } from './printable.ts';

/**
 * Formats untrusted text as a code span on one line, in which Markdown, HTML, mentions and references have no effect.
 * Truncates the text to `longest` characters. Returns `(empty)` for a blank text.
 */
export function formatCode(text: string, longest = 300): string {
  const line = formatOneLine(text, longest);
  if (line.trim() === '') return '(empty)';
  const fence = fenceFor(line, 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/**
 * Formats a fenced code block. The fence is longer than any run of backticks in the text, so that the text cannot end
 * the block. Control characters are not escaped.
 */
export function formatCodeBlock(language: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Formats untrusted text as Markdown on one line: text between backticks is code, and everything else is escaped. An
 * unpaired backtick turns all backticks into apostrophes. A blank code span becomes `(empty)`. Truncates the text to
 * `longest` characters.
 */
export function formatProse(text: string, longest = 600): string {
  const pieces = formatOneLine(text, longest).split('`');
  if (pieces.length % 2 === 0) return escapeMarkdown(pieces.join("'"));
  return pieces
    .map((piece, index) => (index % 2 === 0 ? escapeMarkdown(piece) : formatCode(piece, longest)))
    .join('');
}

/**
 * Returns Markdown blocks: a heading with the number of items, the first items that fit into `room` characters, and,
 * if items are omitted, a note with their number. Returns an empty list if there are no items. If all items begin
 * with `- `, no empty lines separate the items.
 */
export function formatSection(title: string, room: number, items: readonly string[]): string[] {
  const shown: string[] = [];
  let left = room;
  for (const item of items) {
    left -= item.length + 2;
    if (left < 0) break;
    shown.push(item);
  }
  const rest = items.length - shown.length;
  return items.length === 0
    ? []
    : [
        `### ${title} (${items.length})`,
        shown.join(items.every((item) => item.startsWith('- ')) ? '\n' : '\n\n'),
        ...(rest > 0 ? [`*and ${rest} more*`] : []),
      ].filter((block) => block !== '');
}

function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\*_[\]<>&~|!:$+=-]/g, '\\$&')
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
      .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
      // GitHub links mentions and references even after a backslash.
      .replace(/[@#]/g, '\\$&&#8203;')
  );
}

function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}
