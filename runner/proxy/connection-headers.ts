import { lowerValue, type RawHeaders } from './raw-headers.ts';

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
