const esc = '\u001b';
const colour = new RegExp(`(${esc}\\[[0-9;]*m)`);

/**
 * Escapes terminal sequences and other invisible characters in a text, and inserts a space into each log command.
 * Keeps line feeds and tabs. If `colours` is true, also keeps colour sequences.
 */
export function logText(text: string, { colours = false }: { readonly colours?: boolean } = {}): string {
  const parts = colours ? text.split(colour) : [text];
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? escapeInvisible(part, 'kept') : part)).join(''),
  );
}

/**
 * The beginning of a log command, which a CI system executes: `##[` (GitHub Actions and Azure Pipelines), `##vso[`
 * (Azure Pipelines), `##teamcity[` (TeamCity), and `::name::` (GitHub Actions).
 */
const commands = /##(?=\[|vso\[|teamcity\[)|::(?=[a-z-]+(?: [^\n]*?)?::)/gi;

/** Inserts a space into each log command of a text, so that no CI system executes the command. */
export function breakLogCommands(text: string): string {
  return text.replace(commands, ([first = '', second = '']) => `${first} ${second}`);
}

const escapes = {
  json: (sign: string) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  xml: (sign: string) => `&#${sign.charCodeAt(0)};`,
} as const;

const hashCommand = /#(?=#(?:\[|vso\[|teamcity\[))/gi;
/**
 * GitHub Actions ignores blanks before a command. The expression matches blanks only at the beginning of a line.
 * Elsewhere, a search through many blanks would take quadratic time.
 */
const lineCommand = /^([^\S\r\n\u2028\u2029]*):(?=:[a-z-]+(?: .*)?::)/gim;

/** Escapes the log commands in a JSON or XML document. Parsers return the same values as without the escapes. */
export function escapeLogCommands(document: string, format: keyof typeof escapes): string {
  const escapeSign = escapes[format];
  // Searching for `##` and `::`, which few documents contain, is much faster than searching for commands.
  const text = document.includes('##') ? document.replace(hashCommand, escapeSign) : document;
  if (!text.includes('::')) return text;
  return text.replace(lineCommand, (_, blanks: string) => `${blanks}${escapeSign(':')}`);
}

/** Characters that are invisible or change the order of text, such as control characters and lone surrogates. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Runs of characters that may be invisible. Searching only these runs for `unseen` is faster than searching the whole
 * text.
 */
const unusual = { spaces: /[^\x20-\x7e]+/g, kept: /[^\n\t\x20-\x7e]+/g };

/**
 * Replaces invisible characters with escapes such as `\u200b`. Line feeds and tabs are kept or become spaces, depending
 * on `blanks`.
 */
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
 * Formats untrusted text on one line: escapes invisible characters and breaks log commands. If the escaped text has
 * more than `longest` characters, the text is cut and ends with `…`.
 */
export function formatOneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const line = breakLogCommands(escapeInvisible(text, 'spaces'));
  return line.length > longest ? `${line.slice(0, Math.max(0, longest - 1)).toWellFormed()}…` : line;
}
