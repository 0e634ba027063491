import wrapAnsi from 'wrap-ansi';

/** How long lines may be. */
export interface Line {
  /** In characters; infinitely many where nothing is to be wrapped. */
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
  const indent = visibleLength(prefix) + farther;
  const room = width - indent;
  // What would be narrower is harder to read than what the terminal breaks by itself.
  if (!Number.isFinite(width) || room < 20) return [prefix + text];
  return wrapAnsi(text, room, { hard: true, wordWrap })
    .split('\n')
    .map((line, index) => (index === 0 ? prefix : ' '.repeat(indent)) + line);
}

function visibleLength(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours that the terminal's page puts in
  return text.replace(/\u001b\[\d+m/g, '').length;
}
