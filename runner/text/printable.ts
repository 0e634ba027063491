const esc = '\u001b';
/** A sequence that changes the colour or the weight of what follows. */
const colour = new RegExp(`(${esc}\\[[0-9;]*m)`);

/** A text for a log or a terminal: nothing in it is a command to either, but for line ends, tabs and wanted colours. */
export function logText(text: string, { colours = false }: { readonly colours?: boolean } = {}): string {
  const parts = colours ? text.split(colour) : [text];
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? escapeInvisible(part, 'kept') : part)).join(''),
  );
}

/** What begins a command to a CI system in a log: GitHub Actions and Azure Pipelines, TeamCity, and GitHub on a line of its own. */
const commands = /##(?=\[|vso\[|teamcity\[)|::(?=[a-z-]+(?: [^\n]*?)?::)/gi;

/** A text in which nothing is a command to the CI system whose log it stands in. */
export function breakLogCommands(text: string): string {
  return text.replace(commands, ([first = '', second = '']) => `${first} ${second}`);
}

/** How a format writes a sign, so that readers of the format get the same text. */
const escapes = {
  json: (sign: string) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  xml: (sign: string) => `&#${sign.charCodeAt(0)};`,
} as const;

const hashCommand = /#(?=#(?:\[|vso\[|teamcity\[))/gi;
/** Blanks are looked at from the beginning of a line only, so that many of them take linear time. */
const lineCommand = /^([^\S\r\n\u2028\u2029]*):(?=:[a-z-]+(?: .*)?::)/gim;

/** A JSON or XML document in which nothing is a command to a CI system; readers get the same from it. */
export function escapeLogCommands(document: string, format: keyof typeof escapes): string {
  const escapeSign = escapes[format];
  // Few documents have either sign twice, and looking for it is much faster than for a command.
  const text = document.includes('##') ? document.replace(hashCommand, escapeSign) : document;
  if (!text.includes('::')) return text;
  return text.replace(lineCommand, (_, blanks: string) => `${blanks}${escapeSign(':')}`);
}

/** What a reader can't see, or would see out of order: controls, formats, lone surrogates, and what no font has. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Letters among which some may be unseen; to look for these in all of a text takes much longer. */
const unusual = { spaces: /[^\x20-\x7e]+/g, kept: /[^\n\t\x20-\x7e]+/g };

/** A well-formed text in which each letter that can't be seen is written as its code; `blanks` says what happens to line ends and tabs. */
export function escapeInvisible(text: string, blanks: 'kept' | 'spaces'): string {
  return text.replace(unusual[blanks], (letters) =>
    letters.replace(unseen, (letter) => (letter === '\n' || letter === '\t' ? ' ' : codeOf(letter))),
  );
}

function codeOf(letter: string): string {
  const code = (letter.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/**
 * A text from a gateway on one line, well-formed, with control characters, changes of direction and all else that is not
 * seen shown as escapes, and without commands to CI systems; of one longer than `longest` characters, its beginning.
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = breakLogCommands(escapeInvisible(text, 'spaces'));
  return line.length > longest ? `${line.slice(0, Math.max(0, longest - 1)).toWellFormed()}…` : line;
}
