import type { ExchangeReport } from './report.ts';

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
  'keys.valid:prefix-less': '${GATEWAY_API_KEY#sk-}',
  'keys.valid:other-case': `sk-$(printf %s "\${GATEWAY_API_KEY#sk-}" | tr 'A-Za-z' 'a-zA-Z')`,
};

/** What curl sends by itself, what it can't undo, and what changes no answer. */
const needless =
  /^(user-agent|accept|accept-encoding|connection|content-length|transfer-encoding|sec-(ch|fetch)-.*|x-stainless-.*)$/;

/** A curl line that sends a redacted request again; keys come from the environment. `cut` is what truncation takes off. */
export function curlLine(request: ExchangeReport['request'], cut: number): string {
  const parts = ['curl', '-sS', '-i'];
  if (request.method === 'HEAD') parts.push('--head');
  else if (request.method !== (request.body ? 'POST' : 'GET')) parts.push('-X', request.method);
  parts.push(quote(request.url, cut));
  for (const [name, value] of Object.entries(request.headers)) {
    if (needless.test(name) || (name === 'host' && request.url.includes(`//${value}/`))) continue;
    const basic = /^Basic (\{\{[^}]+\}\})/.exec(value);
    if (basic?.[1] !== undefined) parts.push('--user', quote(`${basic[1]}:`, cut));
    else parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`, cut));
  }
  if (request.body) parts.push('--data-binary', quote(request.body.text, cut));
  return parts.join(' ');
}

/** Quotes a text for a shell, with the roles in it replaced by what makes their keys. */
function quote(text: string, cut: number): string {
  const pieces = text.split(/\{\{([^}]+)\}\}/);
  const quoted = pieces.map((piece, index) => {
    if (index % 2 === 0) return piece === '' ? '' : `'${piece.replaceAll("'", `'\\''`)}'`;
    if (piece === 'keys.valid:truncated') return `"\${GATEWAY_API_KEY%${'?'.repeat(cut)}}"`;
    return `"${variables[piece] ?? piece}"`;
  });
  return quoted.join('') || "''";
}
