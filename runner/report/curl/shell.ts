import type { KeyRole } from '../../../common/profile-values.ts';
import { attributesOfPackage } from '../../catalog/attributes.ts';
import { encodeBody } from '../../exchange/decode.ts';
import type { Profile } from '../../profile/profile.ts';
import { setupVariable } from '../../profile/setup.ts';
import { formatAwk, formatEditInShell } from '../../request/key-edits.ts';

/** The names of the environment variables that contain the keys of a run, by the purpose of the key. */
export type KeyVariables = Profile['keyVariables'];

const usualVariables: Readonly<Record<KeyRole, string>> = {
  valid: 'GATEWAY_API_KEY',
  deleted: 'GATEWAY_DELETED_KEY',
  depleted: 'GATEWAY_DEPLETED_KEY',
  foreign: 'GATEWAY_FOREIGN_KEY',
};

/**
 * The variables of keys in a recording. A recording can contain any key in any request, so curl lines of recorded
 * requests never use the variables of a profile.
 */
export const clientVariables: KeyVariables = {
  valid: 'CLIENT_API_KEY',
  deleted: 'CLIENT_DELETED_KEY',
  depleted: 'CLIENT_DEPLETED_KEY',
  foreign: 'CLIENT_FOREIGN_KEY',
};

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Returns the shell expression, for use inside double quotes, that derives the key with a role such as
 * `keys.valid:truncated`. Returns undefined for a part of a secret and for an unknown role. A role `env.NAME` is
 * known only if `NAME` is `GATEWAY_` followed by capital letters, digits or underscores. In a recording, no role
 * `env.NAME` is known.
 */
export function formatShellKey(role: string, variables: KeyVariables): string | undefined {
  const [, name] = /^env\.(GATEWAY_[A-Z0-9_]+)$/.exec(role) ?? [];
  if (name !== undefined) return variables === clientVariables ? undefined : `$${name}`;
  const [, value] = /^setup\.(\w+)$/.exec(role) ?? [];
  if (value !== undefined) return formatSetupValue(value, variables);
  const [, owner = '', kind] = /^keys\.([a-z-]+)(?::(.+))?$/.exec(role) ?? [];
  if (owner === 'client') return kind === undefined ? '$CLIENT_API_KEY' : undefined;
  if (owner === 'created' && kind === undefined) return formatSetupValue('key', variables);
  if (!isKeyRole(owner)) return undefined;
  const stated = variables[owner];
  const variable = stated !== undefined && variableName.test(stated) ? stated : usualVariables[owner];
  if (kind === undefined) return `$${variable}`;
  return (
    formatEditInShell(attributesOfPackage().keyKinds.get(kind), variable) ?? formatEditedKey(kind, variable)
  );
}

/** A recording has no setup, so the role of a value of the setup is unknown there. */
function formatSetupValue(name: string, variables: KeyVariables): string | undefined {
  return variables === clientVariables ? undefined : `$${setupVariable(name)}`;
}

function isKeyRole(name: string): name is KeyRole {
  return Object.hasOwn(usualVariables, name);
}

/**
 * The awk expression of each change: `b` is the part before the changed character, `c` the character, and `r` the
 * rest.
 */
const letterEdits: Readonly<Record<string, (letter: string) => string>> = {
  insert: (letter) => `b "${letter}" c r`,
  replace: (letter) => `b "${letter}" r`,
  delete: () => 'b r',
  swap: () => 'b substr(r, 1, 1) c substr(r, 2)',
  flip: () => 'b (c == toupper(c) ? tolower(c) : toupper(c)) r',
};

function formatEditedKey(name: string, variable: string): string | undefined {
  const [, kind = '', letter = '', at] = /^([a-z]+)(?:-([a-zA-Z0-9]))?-(\d{1,5})$/.exec(name) ?? [];
  if (!Object.hasOwn(letterEdits, kind)) return undefined;
  const parts = `b = substr($0, 1, ${at}); c = substr($0, ${Number(at) + 1}, 1); r = substr($0, ${Number(at) + 2})`;
  return formatAwk(variable, `${parts}; print ${letterEdits[kind]?.(letter)}`);
}

/** A part of a shell word: literal text, or an expansion such as `$NAME` that must be inside double quotes. */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expansion'; readonly expansion: string };

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Matches the beginning of a command that a CI system executes if the command occurs in a log. */
const logCommand = /##(?=\[|vso\[|teamcity\[)|::(?=[a-z])/g;

/**
 * Quotes parts as one word of a POSIX shell, in one line of visible characters. Omits NUL and line breaks at the end,
 * which a shell can't pass to a program in such a line.
 */
export function quoteWord(parts: readonly WordPart[]): string {
  const clean = parts.map(replaceUnsendable).map(withoutNul);
  if (!isVisible(clean)) return `"$(${formatPrintf(clean)})"`;
  if (fitsDoubleQuotes(clean)) return `"${clean.map(partInDoubleQuotes).join('')}"`;
  return clean.map(quotePart).join('') || "''";
}

/** Whether all characters of the parts are visible. If not, only `formatPrintf` writes all of them in one line. */
export function isVisibleWord(parts: readonly WordPart[]): boolean {
  return isVisible(parts.map(replaceUnsendable));
}

/** Returns the command `printf` that prints the parts, in one line of visible characters. */
export function formatPrintf(parts: readonly WordPart[]): string {
  const clean = parts.map(replaceUnsendable);
  const format = clean.map((part) => (part.kind === 'text' ? formatText(part.text) : '%s')).join('');
  const values = clean.flatMap((part) => (part.kind === 'expansion' ? [` "${part.expansion}"`] : []));
  // printf would treat a format that begins with a dash as an option.
  return `printf '${format.replace(/^-/, '\\055')}'${values.join('')}`;
}

function isVisible(parts: readonly WordPart[]): boolean {
  return parts.every((part) => part.kind !== 'text' || part.text.search(invisible) < 0);
}

function replaceUnsendable(part: WordPart): WordPart {
  return part.kind === 'text'
    ? { ...part, text: part.text.replace(/[\ud800-\udc7f\udd00-\udfff]/gu, '\ufffd') }
    : part;
}

function withoutNul(part: WordPart): WordPart {
  return part.kind === 'text' ? { ...part, text: part.text.replaceAll('\0', '') } : part;
}

/**
 * Whether double quotes around all parts are enough. Inside them, a shell interprets some characters, `!` included if
 * it is interactive.
 */
function fitsDoubleQuotes(parts: readonly WordPart[]): boolean {
  return (
    parts.some(({ kind }) => kind === 'expansion') &&
    parts.every((part) => part.kind !== 'text' || !(/[$`"\\!]/.test(part.text) || hasLogCommand(part.text)))
  );
}

function hasLogCommand(text: string): boolean {
  return text.search(logCommand) >= 0;
}

function partInDoubleQuotes(part: WordPart, index: number, parts: readonly WordPart[]): string {
  if (part.kind === 'text') return part.text;
  const next = parts[index + 1];
  const [, name] = /^\$(\w+)$/.exec(part.expansion) ?? [];
  // The next character could belong to the name. zsh also reads an index or a modifier after the name.
  const isJoined = next?.kind === 'text' && /^[\w[:]/.test(next.text);
  return name !== undefined && isJoined ? `\${${name}}` : part.expansion;
}

function quotePart(part: WordPart): string {
  if (part.kind === 'expansion') return `"${part.expansion}"`;
  if (part.text === '') return '';
  const escaped = part.text.replaceAll("'", `'\\''`);
  return `'${escaped.replace(logCommand, (pair) => [...pair].join("''"))}'`;
}

function formatText(text: string): string {
  return text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    .replaceAll("'", '\\047')
    .replace(logCommand, escapeOctal)
    .replace(invisible, escapeOctal);
}

function escapeOctal(text: string): string {
  return [...Buffer.from(encodeBody(text))].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
