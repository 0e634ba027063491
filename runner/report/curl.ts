import type { KeyRole, Profile } from '../profile/profile.ts';
import type { ExchangeReport } from './report.ts';

/** The environment variables that hold the keys of a run. */
export type KeyVariables = Profile['keyVariables'];

/** The variables of keys whose profile names none. */
const usualVariables: Readonly<Record<KeyRole, string>> = {
  valid: 'GATEWAY_API_KEY',
  deleted: 'GATEWAY_DELETED_KEY',
  depleted: 'GATEWAY_DEPLETED_KEY',
  foreign: 'GATEWAY_FOREIGN_KEY',
};

/** What a shell makes of the key in a variable by a program of awk. */
function byAwk(variable: string, program: string): string {
  return `$(printf '%s\\n' "$${variable}" | awk '{ ${program} }')`;
}

const alteredAt = 'substr($0, 1, at) (substr($0, at + 1, 1) == "7" ? "3" : "7") substr($0, at + 2)';
const swapped =
  'n = length($0); m = int(n / 2) + 1; i = m; while (i < n && substr($0, i, 1) == substr($0, i + 1, 1)) i++; if (i == n) i = m; print substr($0, 1, i - 1) substr($0, i + 1, 1) substr($0, i, 1) substr($0, i + 2)';

/** How a shell makes each kind of key from the valid one, without the key in the line; `cut` is what truncation takes off. */
function derivedKey(kind: string, valid: string, cut: number): string | undefined {
  switch (kind) {
    case 'unknown':
      return 'sk-0000000000000000000000000000000000000000';
    case 'truncated':
      return `\${${valid}%${'?'.repeat(cut)}}`;
    case 'extended':
      return `\${${valid}}x7`;
    case 'suffixed':
      return `\${${valid}}-x7`;
    case 'altered':
      return byAwk(valid, `at = int(length($0) * 3 / 4); print ${alteredAt}`);
    case 'altered-start':
      return byAwk(valid, `at = substr($0, 1, 3) == "sk-" ? 3 : 0; print ${alteredAt}`);
    case 'altered-end':
      return byAwk(valid, `at = length($0) - 1; print ${alteredAt}`);
    case 'swapped':
      return byAwk(valid, swapped);
    case 'shortened':
      return `\${${valid}%?}`;
    case 'other-prefix':
      return `pk-\${${valid}#sk-}`;
    case 'prefix-less':
      return `\${${valid}#sk-}`;
    case 'other-case':
      return `sk-$(printf %s "\${${valid}#sk-}" | tr 'A-Za-z' 'a-zA-Z')`;
    default:
      return editedKey(kind, valid);
  }
}

/** How a shell makes the key of a role, such as `keys.valid:truncated`; undefined for what is no key of the run. */
function keyOfRole(role: string, { cut, keyVariables }: CurlContext): string | undefined {
  const [, name = '', kind] = /^keys\.([a-z]+)(?::(.+))?$/.exec(role) ?? [];
  // A key that stands in traffic of somebody else.
  if (role === 'keys.client') return '$CLIENT_API_KEY';
  if (!isKeyRole(name)) return undefined;
  const variable = keyVariables[name] ?? usualVariables[name];
  return kind === undefined ? `$${variable}` : derivedKey(kind, variable, cut);
}

function isKeyRole(name: string): name is KeyRole {
  return Object.hasOwn(usualVariables, name);
}

/** What curl sends by itself, what it can't undo, and what changes no answer. */
const needless =
  /^(user-agent|accept|accept-encoding|connection|content-length|transfer-encoding|sec-(ch|fetch)-.*|x-stainless-.*)$/;

/** What a curl line is made with. */
export interface CurlContext {
  /** How many characters the truncated key lacks. */
  readonly cut: number;
  readonly keyVariables: KeyVariables;
}

/**
 * A curl line that sends a redacted request again; keys come from the environment. `user` is the name and password of the
 * Basic scheme, if the request has any.
 */
export function curlLine(request: ExchangeReport['request'], context: CurlContext, user?: string): string {
  const parts = ['curl', '-sS', '-i'];
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== (request.body ? 'POST' : 'GET')) parts.push('-X', request.method);
  parts.push(quote(request.url, context));
  for (const [name, value] of Object.entries(request.headers)) {
    if (needless.test(name) || (name === 'host' && request.url.includes(`//${value}/`))) continue;
    if (name === 'authorization' && user !== undefined) parts.push('--user', quote(user, context));
    else parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`, context));
  }
  if (request.body) parts.push('--data-binary', quote(request.body.text, context));
  return parts.join(' ');
}

/** How each change of a key in one place is made of its parts: what stands before, the letter there, and what follows. */
const edits: Readonly<Record<string, (letter: string) => string>> = {
  insert: (letter) => `b "${letter}" c r`,
  replace: (letter) => `b "${letter}" r`,
  delete: () => 'b r',
  swap: () => 'b substr(r, 1, 1) c substr(r, 2)',
  flip: () => 'b (c == toupper(c) ? tolower(c) : toupper(c)) r',
};

/** What makes the valid key with a drawn change, of the name of the change. */
function editedKey(name: string, valid: string): string | undefined {
  const [, kind = '', letter = '', at] = /^([a-z]+)(?:-([a-zA-Z0-9]))?-(\d+)$/.exec(name) ?? [];
  const make = edits[kind];
  if (make === undefined) return undefined;
  const parts = `b = substr($0, 1, ${at}); c = substr($0, ${Number(at) + 1}, 1); r = substr($0, ${Number(at) + 2})`;
  return byAwk(valid, `${parts}; print ${make(letter)}`);
}

/** Quotes a text for a shell, with the roles in it replaced by what makes their keys. */
function quote(text: string, context: CurlContext): string {
  const pieces = text.split(/\{\{([^}]+)\}\}/);
  const quoted = pieces.map((piece, index) => {
    if (index % 2 === 0) return piece === '' ? '' : `'${piece.replaceAll("'", `'\\''`)}'`;
    return `"${keyOfRole(piece, context) ?? piece}"`;
  });
  return quoted.join('') || "''";
}
