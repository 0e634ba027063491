import type { ExchangeReport } from './report.ts';

/** What a shell makes of the valid key by a program of awk. */
function byAwk(program: string): string {
  return `$(printf '%s\\n' "$GATEWAY_API_KEY" | awk '{ ${program} }')`;
}

const alteredAt = 'substr($0, 1, at) (substr($0, at + 1, 1) == "7" ? "3" : "7") substr($0, at + 2)';

/** How a shell makes each key of a run from the environment, without the key in the line. */
const variables: Readonly<Record<string, string>> = {
  'keys.valid': '$GATEWAY_API_KEY',
  'keys.deleted': '$GATEWAY_DELETED_KEY',
  'keys.depleted': '$GATEWAY_DEPLETED_KEY',
  'keys.foreign': '$GATEWAY_FOREIGN_KEY',
  // A key that stands in traffic of somebody else.
  'keys.client': '$CLIENT_API_KEY',
  'keys.valid:unknown': 'sk-0000000000000000000000000000000000000000',
  'keys.valid:extended': '${GATEWAY_API_KEY}x7',
  'keys.valid:suffixed': '${GATEWAY_API_KEY}-x7',
  'keys.valid:altered': byAwk(`at = int(length($0) * 3 / 4); print ${alteredAt}`),
  'keys.valid:altered-start': byAwk(`at = substr($0, 1, 3) == "sk-" ? 3 : 0; print ${alteredAt}`),
  'keys.valid:altered-end': byAwk(`at = length($0) - 1; print ${alteredAt}`),
  'keys.valid:swapped': byAwk(
    'n = length($0); m = int(n / 2) + 1; i = m; while (i < n && substr($0, i, 1) == substr($0, i + 1, 1)) i++; if (i == n) i = m; print substr($0, 1, i - 1) substr($0, i + 1, 1) substr($0, i, 1) substr($0, i + 2)',
  ),
  'keys.valid:shortened': '${GATEWAY_API_KEY%?}',
  'keys.valid:other-prefix': 'pk-${GATEWAY_API_KEY#sk-}',
  'keys.valid:prefix-less': '${GATEWAY_API_KEY#sk-}',
  'keys.valid:other-case': `sk-$(printf %s "\${GATEWAY_API_KEY#sk-}" | tr 'A-Za-z' 'a-zA-Z')`,
};

/** What curl sends by itself, what it can't undo, and what changes no answer. */
const needless =
  /^(user-agent|accept|accept-encoding|connection|content-length|transfer-encoding|sec-(ch|fetch)-.*|x-stainless-.*)$/;

/**
 * A curl line that sends a redacted request again; keys come from the environment. `cut` is what truncation takes off,
 * `user` the name and password of the Basic scheme, where it has any.
 */
export function curlLine(request: ExchangeReport['request'], cut: number, user?: string): string {
  const parts = ['curl', '-sS', '-i'];
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== (request.body ? 'POST' : 'GET')) parts.push('-X', request.method);
  parts.push(quote(request.url, cut));
  for (const [name, value] of Object.entries(request.headers)) {
    if (needless.test(name) || (name === 'host' && request.url.includes(`//${value}/`))) continue;
    if (name === 'authorization' && user !== undefined) parts.push('--user', quote(user, cut));
    else parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`, cut));
  }
  if (request.body) parts.push('--data-binary', quote(request.body.text, cut));
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
function editedKey(role: string): string | undefined {
  const [, kind = '', letter = '', at] = /^keys\.valid:([a-z]+)(?:-([a-zA-Z0-9]))?-(\d+)$/.exec(role) ?? [];
  const make = edits[kind];
  if (make === undefined) return undefined;
  const parts = `b = substr($0, 1, ${at}); c = substr($0, ${Number(at) + 1}, 1); r = substr($0, ${Number(at) + 2})`;
  return byAwk(`${parts}; print ${make(letter)}`);
}

/** Quotes a text for a shell, with the roles in it replaced by what makes their keys. */
function quote(text: string, cut: number): string {
  const pieces = text.split(/\{\{([^}]+)\}\}/);
  const quoted = pieces.map((piece, index) => {
    if (index % 2 === 0) return piece === '' ? '' : `'${piece.replaceAll("'", `'\\''`)}'`;
    if (piece === 'keys.valid:truncated') return `"\${GATEWAY_API_KEY%${'?'.repeat(cut)}}"`;
    return `"${variables[piece] ?? editedKey(piece) ?? piece}"`;
  });
  return quoted.join('') || "''";
}
