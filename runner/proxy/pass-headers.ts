import type { HeaderLine } from '../traffic/recorded.ts';

/** Headers as Node gives and takes them as they were sent: name, value, name, value. */
export type RawHeaders = readonly string[];

/** The headers that belong to one connection, so that a proxy makes its own; RFC 9110, section 7.6.1. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'upgrade',
]);

const bodyless: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The lines of raw headers, in order and in their case. */
export function headerLines(raw: RawHeaders): [name: string, value: string][] {
  const lines: [string, string][] = [];
  eachLine(raw, (name, value) => lines.push([name, value]));
  return lines;
}

/** The lines with their names in lower case. */
export function inLowerCase(lines: readonly HeaderLine[]): HeaderLine[] {
  return lines.map(([name, value]) => [name.toLowerCase(), value]);
}

/** The value of a header, in lower case; undefined where it wasn't sent. */
export function lowerValue(raw: RawHeaders, wanted: string): string | undefined {
  let found: string | undefined;
  eachLine(raw, (name, value) => {
    if (name.toLowerCase() === wanted) found = found === undefined ? value : `${found},${value}`;
  });
  return found?.toLowerCase();
}

/**
 * The headers of a request for the gateway, in order and in their case: all but those of the connection. `Host` is its
 * own, in the place where the client had one. How the body is framed stays, since it is framed in the same way again.
 */
export function requestHeaders(raw: RawHeaders, method: string, host: string): string[] {
  const passed: string[] = [];
  let hasHost = false;
  let hasLength = false;
  eachPassed(raw, (name, value, lower) => {
    if (lower !== 'host') passed.push(name, value);
    else if (!hasHost) passed.push(name, host);
    hasHost ||= lower === 'host';
    hasLength ||= lower === 'content-length' || lower === 'transfer-encoding';
  });
  if (!hasHost) passed.unshift('Host', host);
  // Node would announce a body in chunks where a POST says nothing of one.
  if (!hasLength && !bodyless.has(method)) passed.push('Content-Length', '0');
  return passed;
}

/** The headers of an answer for the client; one that speaks HTTP/1.0 can't read chunks. */
export function answerHeaders(raw: RawHeaders, client: { readonly chunks: boolean }): string[] {
  const passed: string[] = [];
  eachPassed(raw, (name, value, lower) => {
    if (client.chunks || lower !== 'transfer-encoding') passed.push(name, value);
  });
  return passed;
}

/** Headers as an answer holds them: by lower-case name, lines of one name joined with a comma, what is said twice said once. */
export function joined(lines: readonly HeaderLine[]): Record<string, string> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of inLowerCase(lines)) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries([...byName].map(([name, values]) => [name, [...new Set(values)].join(', ')]));
}

function eachLine(raw: RawHeaders, take: (name: string, value: string) => void): void {
  for (let index = 0; index < raw.length; index += 2) take(raw[index] ?? '', raw[index + 1] ?? '');
}

function eachPassed(raw: RawHeaders, take: (name: string, value: string, lower: string) => void): void {
  const connection = lowerValue(raw, 'connection') ?? '';
  const named = connection.split(',').map((name) => name.trim());
  eachLine(raw, (name, value) => {
    const lower = name.toLowerCase();
    // The proxy hands trailers on, whichever connection asked for them.
    const isTrailing = lower === 'te' || lower === 'trailer';
    if (ofConnection.has(lower) || (named.includes(lower) && !isTrailing)) return;
    take(name, value, lower);
  });
}
