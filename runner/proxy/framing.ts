import type { IncomingMessage } from 'node:http';
import { imitatesFraming, isEndToEnd, nominatedBy } from './connection-headers.ts';
import { headerLines, type RawHeaders, valuesOf } from './raw-headers.ts';

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
