import { showUnseen } from './one-line.ts';

const esc = '\u001b';
/** A sequence that changes the colour or the weight of what follows. */
const colour = new RegExp(`(${esc}\\[[0-9;]*m)`);

/** A text for a log or a terminal: nothing in it is a command to either, but for line ends, tabs and wanted colours. */
export function logText(text: string, { colours = false }: { readonly colours?: boolean } = {}): string {
  const parts = colours ? text.split(colour) : [text];
  return breakLogCommands(
    parts.map((part, index) => (index % 2 === 0 ? showUnseen(part, 'kept') : part)).join(''),
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
  return document
    .replace(hashCommand, escapeSign)
    .replace(lineCommand, (_, blanks: string) => `${blanks}${escapeSign(':')}`);
}
