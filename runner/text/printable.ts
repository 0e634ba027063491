const esc = '\u001b';
const colour = new RegExp(`(${esc}\\[[0-9;]*m)`);

/** Escapes all commands in a text for a log or a terminal, except line ends, tabs and, if `colours` is true, colours. */
export function logText(text: string, { colours = false }: { readonly colours?: boolean } = {}): string {
  const parts = colours ? text.split(colour) : [text];
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? escapeInvisible(part, 'kept') : part)).join(''),
  );
}

/**
 * The beginning of a log command: `##[` and `##vso[` of GitHub Actions and Azure Pipelines, `##teamcity[` of
 * TeamCity, and `::name::` of GitHub Actions.
 */
const commands = /##(?=\[|vso\[|teamcity\[)|::(?=[a-z-]+(?: [^\n]*?)?::)/gi;

/** Changes a text so that a CI system finds no command in it. */
export function breakLogCommands(text: string): string {
  return text.replace(commands, ([first = '', second = '']) => `${first} ${second}`);
}

const escapes = {
  json: (sign: string) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  xml: (sign: string) => `&#${sign.charCodeAt(0)};`,
} as const;

const hashCommand = /#(?=#(?:\[|vso\[|teamcity\[))/gi;
/** The expression matches blanks only from the beginning of a line, so that many blanks take linear time. */
const lineCommand = /^([^\S\r\n\u2028\u2029]*):(?=:[a-z-]+(?: .*)?::)/gim;

/** Escapes a JSON or XML document so that a CI system finds no command in it. Parsers still return the same values. */
export function escapeLogCommands(document: string, format: keyof typeof escapes): string {
  const escapeSign = escapes[format];
  // Few documents contain `##` or `::`, and searching for these is much faster than for a command.
  const text = document.includes('##') ? document.replace(hashCommand, escapeSign) : document;
  if (!text.includes('::')) return text;
  return text.replace(lineCommand, (_, blanks: string) => `${blanks}${escapeSign(':')}`);
}

/** Characters that are invisible or change the order of text, such as control characters and lone surrogates. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Runs of characters that may be invisible. Searching only these for `unseen` is faster. */
const unusual = { spaces: /[^\x20-\x7e]+/g, kept: /[^\n\t\x20-\x7e]+/g };

/** Replaces invisible characters with their codes. Line ends and tabs are kept or become spaces, depending on `blanks`. */
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
 * Formats foreign text on one line, with invisible characters as escapes and without commands to CI systems, cut to
 * `longest` characters.
 */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = breakLogCommands(escapeInvisible(text, 'spaces'));
  return line.length > longest ? `${line.slice(0, Math.max(0, longest - 1)).toWellFormed()}…` : line;
}
