import { breakLogCommands } from './log-text.ts';

/**
 * A text from a gateway on one line, well-formed, with control characters, changes of direction and all else that is not
 * seen shown as escapes, and without commands to CI systems; of one longer than `longest` characters, its beginning.
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = breakLogCommands(showUnseen(text, 'spaces'));
  return line.length > longest ? `${line.slice(0, Math.max(0, longest - 1)).toWellFormed()}…` : line;
}

/** What a reader can't see, or would see out of order: controls, formats, lone surrogates, and what no font has. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Texts of which all is seen; most are such, which is soon told. */
const plain = { spaces: /^[\x20-\x7e]*$/, kept: /^[\n\t\x20-\x7e]*$/ };

/** A text, well-formed, with what is not seen in it written as its code, but for line ends and tabs: `blanks` says what becomes of these. */
export function showUnseen(text: string, blanks: 'kept' | 'spaces'): string {
  if (plain[blanks].test(text)) return text;
  return text.replace(unseen, (letter) => {
    if (letter === '\n' || letter === '\t') return blanks === 'kept' ? letter : ' ';
    return codeOf(letter);
  });
}

function codeOf(letter: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
