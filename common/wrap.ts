import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { formatOneLine } from './printable.ts';

export interface Line {
  /** The number of columns. A text is not wrapped if `width` is `Infinity`, or exceeds the indent by less than 20. */
  readonly width: number;
}

/**
 * Wraps a text between words and returns the lines. Breaks only words that are longer than a line. The first line
 * begins with the prefix. The other lines are indented by the width of the prefix plus `extraIndent` columns.
 */
export function wrapWords(line: Line, prefix: string, text: string, extraIndent = 0): string[] {
  return wrap(line, prefix, text, { breaksWords: false, extraIndent });
}

/**
 * Wraps a text with few spaces, such as JSON, and returns the lines. Breaks words at the end of a line, so that each
 * line except the last is filled. The first line begins with the prefix. The other lines are indented by the width of
 * the prefix.
 */
export function wrapCharacters(line: Line, prefix: string, text: string): string[] {
  return wrap(line, prefix, text, { breaksWords: true, extraIndent: 0 });
}

function wrap(
  { width }: Line,
  prefix: string,
  text: string,
  { breaksWords, extraIndent }: { readonly breaksWords: boolean; readonly extraIndent: number },
): string[] {
  const indent = columnsOf(prefix) + extraIndent;
  const room = width - indent;
  // If fewer than 20 columns remain, the wrapping of the terminal is easier to read.
  if (!Number.isFinite(width) || room < 20) return [prefix + text];
  return wrapAnsi(text, room, { hard: true, wordWrap: !breaksWords })
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line);
}

/**
 * Returns the number of columns of a text in a terminal. A colour sequence has 0 columns, and a wide character, such
 * as a Chinese character or an emoji, has 2 columns.
 */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** Appends spaces up to a number of columns. Returns a wider text unchanged. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Formats untrusted text on one line. If the escaped text has more than `columns` columns or characters, the text is
 * cut and ends with `…`.
 */
export function clip(text: string, columns: number): string {
  const line = formatOneLine(text, columns);
  if (columnsOf(line) <= columns) return line;
  let shown = '';
  let left = columns - 1;
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    left -= columnsOf(segment);
    if (left < 0) break;
    shown += segment;
  }
  return `${shown}…`;
}
