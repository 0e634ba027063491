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
