import type { HeaderLine } from '../traffic/recorded.ts';

/** The headers that belong to one connection, so that a proxy makes its own; RFC 9110, section 7.6.1. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'upgrade',
]);

/** The lines of Node's flat list of raw headers, as they were sent. */
export function headerLines(rawHeaders: readonly string[]): [name: string, value: string][] {
  return Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);
}

/** The lines with their names in lower case. */
export function inLowerCase(lines: readonly HeaderLine[]): HeaderLine[] {
  return lines.map(([name, value]) => [name.toLowerCase(), value]);
}

/** All values of a header, in the order of their lines. */
export function valuesOf(lines: readonly HeaderLine[], name: string): string[] {
  return lines.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value);
}

/**
 * The lines to pass on, in order and in their case: all but those of the connection. How the body is framed stays, since
 * it is framed in the same way again.
 */
export function passable(lines: readonly HeaderLine[]): HeaderLine[] {
  const named = valuesOf(lines, 'connection')
    .flatMap((value) => value.split(','))
    .map((name) => name.trim().toLowerCase())
    // The proxy hands trailers on, whichever connection asked for them.
    .filter((name) => name !== 'te' && name !== 'trailer');
  const dropped = new Set([...ofConnection, ...named]);
  return lines.filter(([name]) => !dropped.has(name.toLowerCase()));
}

/** The headers of a request for the gateway: `Host` is its own, in the place where the client had one. */
export function requestHeaders(lines: readonly HeaderLine[], method: string, host: string): string[] {
  const passed = passable(lines);
  const isHost = ([name]: HeaderLine): boolean => name.toLowerCase() === 'host';
  const first = passed.findIndex(isHost);
  const own: HeaderLine[] = [[passed[first]?.[0] ?? 'Host', host]];
  const rest = passed.filter((line) => !isHost(line));
  const lengthless =
    valuesOf(passed, 'content-length').length === 0 && valuesOf(passed, 'transfer-encoding').length === 0;
  // Node would announce a body in chunks where a POST says nothing of one.
  if (lengthless && !bodyless.has(method)) own.push(['Content-Length', '0']);
  return [...rest.slice(0, Math.max(first, 0)), ...own, ...rest.slice(Math.max(first, 0))].flat();
}

const bodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The headers of an answer for the client; one that speaks HTTP/1.0 can't read chunks. */
export function answerHeaders(lines: readonly HeaderLine[], client: { readonly chunks: boolean }): string[] {
  return passable(lines)
    .filter(([name]) => client.chunks || name.toLowerCase() !== 'transfer-encoding')
    .flat();
}

/** Headers as an answer holds them: by lower-case name, lines of one name joined with a comma, what is said twice said once. */
export function joined(lines: readonly HeaderLine[]): Record<string, string> {
  const byName = new Map<string, string[]>();
  for (const [name, value] of inLowerCase(lines)) byName.set(name, [...(byName.get(name) ?? []), value]);
  return Object.fromEntries([...byName].map(([name, values]) => [name, [...new Set(values)].join(', ')]));
}
