import { oneLine } from './printable.ts';

/**
 * A text from outside as a code span of at most `longest` characters, in which no Markdown, HTML, mention or reference
 * takes effect.
 */
export function code(text: string, longest = 300): string {
  const line = oneLine(text, longest);
  if (line.trim() === '') return '(empty)';
  const fence = fenceFor(line, 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return fence + pad + line + pad + fence;
}

/** A text from outside as a block of code on lines of its own. */
export function codeBlock(language: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A sentence of the ledger as Markdown: what it has between backticks is code, all else is as it stands. */
export function prose(text: string, longest = 600): string {
  const pieces = oneLine(text, longest).split('`');
  if (pieces.length % 2 === 0) return escapeMarkdown(pieces.join("'"));
  return pieces.map((piece, index) => (index % 2 === 0 ? escapeMarkdown(piece) : code(piece))).join('');
}

/**
 * A heading with as many of the items as fit into so many characters, and how many did not, as blocks; none where there
 * are no items. Entries of a list stand close together.
 */
export function section(title: string, room: number, items: readonly string[]): string[] {
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
        ...(rest > 0 ? [`*${rest} more did not fit in here.*`] : []),
      ].filter((block) => block !== '');
}

function escapeMarkdown(text: string): string {
  return (
    text
      .replace(/[\\*_[\]<>&~|!:$+=-]/g, '\\$&')
      .replace(/^(\s*\d+)([.)])/, '$1\\$2')
      .replace(/www\./gi, (found) => `${found.slice(0, -1)}\\.`)
      // What GitHub links, it links after a backslash too.
      .replace(/[@#]/g, '\\$&&#8203;')
  );
}

/** Backticks, one more than stand anywhere in the text together. */
function fenceFor(text: string, least: number): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return '`'.repeat(Math.max(least, longest + 1));
}
