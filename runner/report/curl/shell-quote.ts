/** A part of a word of a shell: text as it is, or an expansion such as `$NAME`, which stands in double quotes. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expansion'; readonly expansion: string };

/** Controls, and what changes the order of letters or the line, so that a line would look like another one. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Beginnings of commands that CI systems read out of logs. */
const logCommand = /##(?=\[|vso\[|teamcity\[)|::(?=[a-z])/g;

/**
 * One word of a POSIX shell, which hands exactly these parts to a program. The result is one line of visible characters,
 * except that line breaks at the end stay as they are: a shell can't write these in another way. It can't hand NUL to a
 * program either, so NUL is left out.
 */
export function quoteWord(parts: readonly WordPart[]): string {
  const clean = parts.map((part) => (part.kind === 'text' ? { ...part, text: sendable(part.text) } : part));
  const last = clean.at(-1);
  const end = last?.kind === 'text' ? lineBreaksAtEnd(last.text) : '';
  const body =
    last?.kind === 'text' && end ? [...clean.slice(0, -1), textPart(last.text.slice(0, -end.length))] : clean;
  const isVisible = body.every((part) => part.kind !== 'text' || part.text.search(invisible) < 0);
  const quoted = isVisible ? body.map(quotePart).join('') : printWord(body);
  return quoted + (end && `'${end}'`) || "''";
}

/** Not by an expression, which would take quadratic time for line breaks inside of the text. */
function lineBreaksAtEnd(text: string): string {
  let start = text.length;
  while (start > 0 && text[start - 1] === '\n') start--;
  return text.slice(start);
}

function sendable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

function textPart(text: string): WordPart {
  return { kind: 'text', text };
}

function quotePart(part: WordPart): string {
  if (part.kind === 'expansion') return `"${part.expansion}"`;
  if (part.text === '') return '';
  const escaped = part.text.replaceAll("'", `'\\''`);
  return `'${escaped.replace(logCommand, (pair) => [...pair].join("''"))}'`;
}

/** A substitution that prints the parts, with an octal escape for each byte that isn't visible. */
function printWord(parts: readonly WordPart[]): string {
  const format = parts.map((part) => (part.kind === 'text' ? formatText(part.text) : '%s')).join('');
  const values = parts.flatMap((part) => (part.kind === 'expansion' ? [` "${part.expansion}"`] : []));
  // A shell would take a format that begins with a dash for an option of printf.
  return `"$(printf '${format.replace(/^-/, '\\055')}'${values.join('')})"`;
}

function formatText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll("'", '\\047')
    .replace(logCommand, octal)
    .replace(invisible, octal);
}

function octal(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
