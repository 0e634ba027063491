import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { oneLine } from './printable.ts';

/** How long lines may be. */
export interface Line {
  /** In columns; infinitely many where nothing is to be wrapped. */
  readonly width: number;
}

/** A text behind a prefix, wrapped to the width; lines that go on stand below its beginning, or so much farther in. */
export function hang(line: Line, prefix: string, text: string, farther = 0): string[] {
  return wrapped(line, prefix, text, { wordWrap: true, farther });
}

/** The same for what has few words, such as JSON: lines are filled. */
export function fill(line: Line, prefix: string, text: string): string[] {
  return wrapped(line, prefix, text, { wordWrap: false, farther: 0 });
}

function wrapped(
  { width }: Line,
  prefix: string,
  text: string,
  { wordWrap, farther }: { readonly wordWrap: boolean; readonly farther: number },
): string[] {
  const indent = columnsOf(prefix) + farther;
  const room = width - indent;
  // What would be narrower is harder to read than what the terminal breaks by itself.
  if (!Number.isFinite(width) || room < 20) return [prefix + text];
  return wrapAnsi(text, room, { hard: true, wordWrap })
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line);
}

/** How many columns a text takes in a terminal: colours none, and letters of Chinese, Japanese and Korean two. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** A text with spaces after it, up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** A text from a gateway on one line of at most so many columns. */
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
