import type { IncomingMessage } from 'node:http';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';

/** Header names and values, alternating, in the order and case in which the headers were sent. */
export type RawHeaders = readonly string[];

export function splitHeaderLines(raw: RawHeaders): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) lines.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return lines;
}

export function toLowerCaseNames(lines: readonly HeaderLine[]): HeaderLine[] {
  return lines.map(([name, value]) => [name.toLowerCase(), value]);
}

/** Returns the values of a header, one for each of its lines. `wanted` is in lower case. */
export function readValues(raw: RawHeaders, wanted: string): string[] {
  return splitHeaderLines(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** Returns the values of a header, joined with commas and in lower case; undefined if the header was not sent. */
export function readLowerCase(raw: RawHeaders, wanted: string): string | undefined {
  const values = readValues(raw, wanted);
  return values.length === 0 ? undefined : values.join(',').toLowerCase();
}

/** Returns headers by lower-case name. Different values are joined with commas, and equal values are listed once. */
export function joinHeaderLines(lines: readonly HeaderLine[]): Record<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const [name, value] of toLowerCaseNames(lines))
    byName.set(name, (byName.get(name) ?? new Set()).add(value));
  return Object.fromEntries([...byName].map(([name, values]) => [name, [...values].join(', ')]));
}

/** Headers of a single connection. This proxy never forwards such headers (RFC 9110, sections 7.6.1 and 11.7). */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'upgrade',
]);

/**
 * Headers that delimit or route a message. A server that normalizes names, as CGI does, must not find a second header
 * with one of these names.
 */
const framingNames: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/**
 * Headers that no `Connection` header may name and no trailer may add: headers for every recipient, and
 * `framingNames`.
 */
const endToEndHeaders: ReadonlySet<string> = new Set([
  ...framingNames,
  'accept',
  'accept-encoding',
  'age',
  'anthropic-version',
  'authorization',
  'cache-control',
  'content-encoding',
  'content-range',
  'content-type',
  'cookie',
  'date',
  'expect',
  'location',
  'max-forwards',
  'origin',
  'range',
  'retry-after',
  'set-cookie',
  'vary',
  'www-authenticate',
  'x-api-key',
  'x-goog-api-key',
  'x-trace-id',
]);

/** Whether `Connection` must not name the header, and a trailer must not add the header. `name` is in lower case. */
export function isEndToEnd(name: string): boolean {
  return endToEndHeaders.has(name);
}

/** Whether a server that replaces hyphens, as CGI does, would read the header as one of `framingNames`. */
export function imitatesFraming(name: string): boolean {
  return name.includes('_') && framingNames.has(name.replaceAll('_', '-'));
}

/** Returns the names in the `Connection` header, in lower case. */
export function listNominated(raw: RawHeaders): ReadonlySet<string> {
  return new Set((readLowerCase(raw, 'connection') ?? '').split(',').map((name) => name.trim()));
}

/**
 * Creates a function that returns whether a proxy must remove a header because the header applies to only one
 * connection. The parameter `name` of the function must be in lower case.
 */
export function createRemovalTest(raw: RawHeaders): (name: string) => boolean {
  const nominated = listNominated(raw);
  return (name) =>
    // The headers `TE` and `Trailer` are kept, because the proxy forwards trailers.
    connectionHeaders.has(name) ||
    (nominated.has(name) && !isEndToEnd(name) && name !== 'te' && name !== 'trailer');
}

/** Methods for which Node.js does not announce a body by default. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * Returns the request headers for the gateway, in their original order and case, without the headers of the
 * connection. The proxy sets `Host` and the framing header.
 */
export function buildRequestHeaders(
  raw: RawHeaders,
  { method, host, framing }: { readonly method: string; readonly host: string; readonly framing: Framing },
): string[] {
  const passed = withFraming(raw, framing, (name, value, lower) => {
    if (lower === 'host') return [name, host];
    // Transfer codings apply to only one connection, and the proxy decodes only chunks.
    if (lower === 'te') return /\btrailers\b/i.test(value) ? [name, 'trailers'] : [];
    return [name, value];
  });
  if (!splitHeaderLines(passed).some(([name]) => name.toLowerCase() === 'host')) passed.unshift('Host', host);
  // Without this header, Node.js would announce a chunked body for a POST without a body.
  if (framing === 'none' && !withoutBody.has(method)) passed.push('Content-Length', '0');
  return passed;
}

/**
 * Returns the response headers for the client, without the headers of the connection. `chunks`: whether the client
 * can read chunks; false for a client that uses HTTP/1.0.
 */
export function buildResponseHeaders(
  raw: RawHeaders,
  { framing, chunks }: { readonly framing: Framing; readonly chunks: boolean },
): string[] {
  return withFraming(raw, framing === 'chunked' && !chunks ? 'none' : framing, (name, value) => [
    name,
    value,
  ]);
}

/** Returns the headers of an interim response (1xx), without framing headers and the headers of the connection. */
export function buildInterimHeaders(raw: RawHeaders): string[] {
  return withFraming(raw, 'none', (name, value) => [name, value]);
}

/** Returns the trailers that may be forwarded (RFC 9110, section 6.5.1). */
export function filterTrailers(raw: RawHeaders): [name: string, value: string][] {
  const isRemoved = createRemovalTest([]);
  return splitHeaderLines(raw).filter(([name]) => {
    const lower = name.toLowerCase();
    return !isEndToEnd(lower) && !isRemoved(lower) && !imitatesFraming(lower);
  });
}

/**
 * Returns the headers that `pass` keeps, with the header for `framing` instead of the framing headers of the sender.
 * The framing `none` has no header.
 */
function withFraming(
  raw: RawHeaders,
  framing: Framing,
  pass: (name: string, value: string, lower: string) => readonly string[],
): string[] {
  const passed: string[] = [];
  const isRemoved = createRemovalTest(raw);
  const wanted = framing === 'chunked' ? 'transfer-encoding' : 'content-length';
  for (const [name, value] of splitHeaderLines(raw)) {
    const lower = name.toLowerCase();
    if (lower === 'content-length' || lower === 'transfer-encoding') {
      if (framing !== 'none' && lower === wanted) passed.push(name, String(framing));
    } else if (!isRemoved(lower)) passed.push(...pass(name, value, lower));
  }
  return passed;
}

/**
 * How the body of a message is delimited: no body, a number of bytes, or chunks. The proxy writes the framing headers
 * itself, and keeps the framing, except that a client that uses HTTP/1.0 gets no chunks.
 */
export type Framing = 'none' | 'chunked' | number;

/** The framing of a message, or the problem because of which the message is rejected. */
export type FramingResult = { readonly framing: Framing } | { readonly problem: string };

type MessageHead = Pick<IncomingMessage, 'method' | 'rawHeaders' | 'httpVersion'>;

/** Methods whose requests must not have a body, because many servers would read the body as the next request. */
const withoutContent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/**
 * Reads the framing of a request (RFC 9112, section 6). Returns a problem if the head is invalid or not supported, or
 * if servers could read the head differently.
 */
export function readRequestFraming({ method = 'GET', rawHeaders, httpVersion }: MessageHead): FramingResult {
  const nominated = [...listNominated(rawHeaders)].find(isEndToEnd);
  if (nominated !== undefined) return { problem: `the Connection header must not name ${nominated}` };
  const imitation = splitHeaderLines(rawHeaders).find(([name]) => imitatesFraming(name.toLowerCase()));
  if (imitation)
    return {
      problem: `some servers read the header ${imitation[0]} as ${imitation[0].replaceAll('_', '-')}`,
    };
  const hosts = readValues(rawHeaders, 'host');
  if (hosts.length > 1) return { problem: 'the request has more than one Host header' };
  if (hosts.length === 0 && httpVersion !== '1.0') return { problem: 'the request has no Host header' };
  const read = readBodyFraming(rawHeaders, httpVersion);
  if ('framing' in read && withoutContent.has(method) && read.framing !== 'none' && read.framing !== 0)
    return { problem: `a ${method} request must not have a body` };
  return read;
}

/**
 * Reads the framing of a response with a parsed head. The framing is also `none` if the body ends with the
 * connection.
 */
export function readResponseFraming(
  answer: Pick<IncomingMessage, 'statusCode' | 'rawHeaders' | 'httpVersion'>,
): FramingResult {
  // A 204 response has no body, regardless of its headers (RFC 9112, section 6.3).
  return answer.statusCode === 204
    ? { framing: 'none' }
    : readBodyFraming(answer.rawHeaders, answer.httpVersion);
}

function readBodyFraming(raw: RawHeaders, httpVersion: string): FramingResult {
  if (httpVersion !== '1.0' && httpVersion !== '1.1')
    return { problem: `HTTP/${httpVersion} is not supported` };
  const codings = readValues(raw, 'transfer-encoding');
  const lengths = readValues(raw, 'content-length');
  if (codings.length > 0) {
    if (lengths.length > 0) return { problem: 'the message has both Content-Length and Transfer-Encoding' };
    if (httpVersion === '1.0') return { problem: 'HTTP/1.0 has no Transfer-Encoding' };
    const [coding = ''] = codings;
    if (codings.length > 1 || coding.toLowerCase() !== 'chunked')
      return { problem: 'only chunked is supported as Transfer-Encoding' };
    return { framing: 'chunked' };
  }
  if (lengths.length === 0) return { framing: 'none' };
  const [length = ''] = lengths;
  if (lengths.length > 1 || !/^\d+$/.test(length) || !Number.isSafeInteger(Number(length)))
    return { problem: 'its Content-Length is not a single number' };
  return { framing: Number(length) };
}
