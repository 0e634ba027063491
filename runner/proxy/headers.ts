import type { IncomingMessage } from 'node:http';
import type { HeaderLine } from '../recordings/recorded-exchange.ts';

/** Headers in the order and case in which they were sent: name, value, name, value. */
export type RawHeaders = readonly string[];

/** The lines of raw headers, in order and in their case. */
export function headerLines(raw: RawHeaders): [name: string, value: string][] {
  const lines: [string, string][] = [];
  for (let index = 0; index < raw.length; index += 2) lines.push([raw[index] ?? '', raw[index + 1] ?? '']);
  return lines;
}

/** The lines with their names in lower case. */
export function inLowerCase(lines: readonly HeaderLine[]): HeaderLine[] {
  return lines.map(([name, value]) => [name.toLowerCase(), value]);
}

/** The values of a header, one for each of its lines; `wanted` is in lower case. */
export function valuesOf(raw: RawHeaders, wanted: string): string[] {
  return headerLines(raw).flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value] : []));
}

/** The value of a header in lower case, its lines joined with commas; undefined if it was not sent. */
export function lowerValue(raw: RawHeaders, wanted: string): string | undefined {
  const values = valuesOf(raw, wanted);
  return values.length === 0 ? undefined : values.join(',').toLowerCase();
}

/** Headers by lower-case name; different values of one name are joined with commas, equal ones are listed once. */
export function joined(lines: readonly HeaderLine[]): Record<string, string> {
  const byName = new Map<string, Set<string>>();
  for (const [name, value] of inLowerCase(lines))
    byName.set(name, (byName.get(name) ?? new Set()).add(value));
  return Object.fromEntries([...byName].map(([name, values]) => [name, [...values].join(', ')]));
}

/** Headers of one connection, which a proxy never forwards (RFC 9110, section 7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'upgrade',
]);

/** Headers that delimit or route a message; another way of writing them, as CGI does, must not add a second one. */
const framingNames: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'host']);

/** Headers that are meant for every recipient: no `Connection` header may name them, and no trailer may add them. */
const endToEnd: ReadonlySet<string> = new Set([
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

/** Whether a header, by its lower-case name, belongs to every recipient of a message. */
export function isEndToEnd(name: string): boolean {
  return endToEnd.has(name);
}

/** Whether a server that replaces hyphens, as CGI does, would take this header for one that delimits or routes a message. */
export function imitatesFraming(name: string): boolean {
  return name.includes('_') && framingNames.has(name.replaceAll('_', '-'));
}

/** The lower-case names that `Connection` lists. */
export function nominatedBy(raw: RawHeaders): ReadonlySet<string> {
  return new Set((lowerValue(raw, 'connection') ?? '').split(',').map((name) => name.trim()));
}

/** Tells which headers, by their lower-case names, a proxy removes from a message: those of its connection. */
export function removedFrom(raw: RawHeaders): (name: string) => boolean {
  const nominated = nominatedBy(raw);
  return (name) =>
    // Trailers are forwarded, so the announcement of them is, too.
    ofConnection.has(name) ||
    (nominated.has(name) && !isEndToEnd(name) && name !== 'te' && name !== 'trailer');
}

/** Methods for which Node does not announce a body on its own. */
const withoutBody: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/**
 * The headers of a request for the gateway, in order and in their case, without those of the connection. `Host` is that
 * of the gateway, and the framing is written anew, each in the position in which the client had it.
 */
export function requestHeaders(
  raw: RawHeaders,
  { method, host, framing }: { readonly method: string; readonly host: string; readonly framing: Framing },
): string[] {
  const passed = withFraming(raw, framing, (name, value, lower) => {
    if (lower === 'host') return [name, host];
    // Transfer codings are agreed on with the next server only; the proxy decodes none but chunks.
    if (lower === 'te') return /\btrailers\b/i.test(value) ? [name, 'trailers'] : [];
    return [name, value];
  });
  if (!headerLines(passed).some(([name]) => name.toLowerCase() === 'host')) passed.unshift('Host', host);
  // Node would announce a body in chunks for a POST that states none.
  if (framing === 'none' && !withoutBody.has(method)) passed.push('Content-Length', '0');
  return passed;
}

/** The headers of a response for the client; one that speaks HTTP/1.0 can't read chunks. */
export function answerHeaders(
  raw: RawHeaders,
  { framing, chunks }: { readonly framing: Framing; readonly chunks: boolean },
): string[] {
  return withFraming(raw, framing === 'chunked' && !chunks ? 'none' : framing, (name, value) => [
    name,
    value,
  ]);
}

/** The headers of an interim response (1xx), which has no body. */
export function interimHeaders(raw: RawHeaders): string[] {
  return withFraming(raw, 'none', (name, value) => [name, value]);
}

/** The trailers that are passed on: those that may stand in a trailer section (RFC 9110, section 6.5.1). */
export function trailerLines(raw: RawHeaders): [name: string, value: string][] {
  const isRemoved = removedFrom([]);
  return headerLines(raw).filter(([name]) => {
    const lower = name.toLowerCase();
    return !isEndToEnd(lower) && !isRemoved(lower) && !imitatesFraming(lower);
  });
}

/** The lines that stay, as `pass` writes them, with one header for the framing instead of those of the sender. */
function withFraming(
  raw: RawHeaders,
  framing: Framing,
  pass: (name: string, value: string, lower: string) => readonly string[],
): string[] {
  const passed: string[] = [];
  const isRemoved = removedFrom(raw);
  const wanted = framing === 'chunked' ? 'transfer-encoding' : 'content-length';
  for (const [name, value] of headerLines(raw)) {
    const lower = name.toLowerCase();
    if (lower === 'content-length' || lower === 'transfer-encoding') {
      if (framing !== 'none' && lower === wanted) passed.push(name, String(framing));
    } else if (!isRemoved(lower)) passed.push(...pass(name, value, lower));
  }
  return passed;
}

/**
 * How the body of a message is delimited: it has none, it has so many bytes, or it comes in chunks. A proxy sends what
 * it read in the same framing, which it writes itself; no header of the sender is copied for it.
 */
export type Framing = 'none' | 'chunked' | number;

/** The framing of a message, or why it can't be told for certain. */
export type FramingRead = { readonly framing: Framing } | { readonly problem: string };

type Head = Pick<IncomingMessage, 'method' | 'rawHeaders' | 'httpVersion'>;

/** Methods whose requests have no content: many servers do not read it, and then take it for the next request. */
const withoutContent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'TRACE']);

/** The framing of a request (RFC 9112, section 6). What two servers could read differently is a problem. */
export function requestFraming({ method = 'GET', rawHeaders, httpVersion }: Head): FramingRead {
  const nominated = [...nominatedBy(rawHeaders)].find(isEndToEnd);
  if (nominated !== undefined)
    return { problem: `Connection must not name ${nominated}, which is meant for every recipient` };
  const imitation = headerLines(rawHeaders).find(([name]) => imitatesFraming(name.toLowerCase()));
  if (imitation)
    return { problem: `some servers take ${imitation[0]} for ${imitation[0].replaceAll('_', '-')}` };
  const hosts = valuesOf(rawHeaders, 'host');
  if (hosts.length > 1) return { problem: 'it has more than one Host header' };
  if (hosts.length === 0 && httpVersion !== '1.0') return { problem: 'it has no Host header' };
  const read = bodyFraming(rawHeaders, httpVersion);
  if ('framing' in read && withoutContent.has(method) && read.framing !== 'none' && read.framing !== 0)
    return { problem: `a ${method} request must not have a body` };
  return read;
}

/** The framing of a response, of which Node has already read the head; `none` also if it ends with its connection. */
export function responseFraming(
  answer: Pick<IncomingMessage, 'statusCode' | 'rawHeaders' | 'httpVersion'>,
): FramingRead {
  // Such a response has no body, whatever its headers say (RFC 9112, section 6.3).
  return answer.statusCode === 204 ? { framing: 'none' } : bodyFraming(answer.rawHeaders, answer.httpVersion);
}

function bodyFraming(raw: RawHeaders, httpVersion: string): FramingRead {
  if (httpVersion !== '1.0' && httpVersion !== '1.1')
    return { problem: `HTTP/${httpVersion} is not supported` };
  const codings = valuesOf(raw, 'transfer-encoding');
  const lengths = valuesOf(raw, 'content-length');
  if (codings.length > 0) {
    if (lengths.length > 0) return { problem: 'it has both Content-Length and Transfer-Encoding' };
    if (httpVersion === '1.0') return { problem: 'HTTP/1.0 has no Transfer-Encoding' };
    const [coding = ''] = codings;
    if (codings.length > 1 || coding.toLowerCase() !== 'chunked')
      return { problem: 'only chunked is supported as Transfer-Encoding' };
    return { framing: 'chunked' };
  }
  if (lengths.length === 0) return { framing: 'none' };
  const [length = ''] = lengths;
  if (lengths.length > 1 || !/^\d+$/.test(length) || !Number.isSafeInteger(Number(length)))
    return { problem: 'its Content-Length is not one number' };
  return { framing: Number(length) };
}
