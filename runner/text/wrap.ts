import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import { oneLine } from './printable.ts';

/** The width of a line. */
export interface Line {
  /** The number of columns; infinite if nothing is wrapped. */
  readonly width: number;
}

/** Wraps a text after a prefix. Further lines begin below the beginning of the text, `extraIndent` columns to the right. */
export function hang(line: Line, prefix: string, text: string, extraIndent = 0): string[] {
  return wrap(line, prefix, text, { breaksWords: false, extraIndent });
}

/** Wraps a text with few spaces, such as JSON. Each line is filled, and words are broken at the end of the line. */
export function fill(line: Line, prefix: string, text: string): string[] {
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
  // In a very narrow column, the wrapping of the terminal itself is easier to read.
  if (!Number.isFinite(width) || room < 20) return [prefix + text];
  return wrapAnsi(text, room, { hard: true, wordWrap: !breaksWords })
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line);
}

/** Counts the columns of a text in a terminal: none for colours, two for Chinese, Japanese and Korean characters. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** Pads a text with spaces to a number of columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** Formats foreign text on one line, cut to a number of columns. */
export function clip(text: string, columns: number): string {
  const line = oneLine(text, columns);
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
