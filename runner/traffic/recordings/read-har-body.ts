import { toList, toMapping } from '../../../common/mapping.ts';
import { decodeBody, readContent, readResponse } from '../../exchange/decode.ts';
import type { Answer } from '../../exchange/exchange.ts';
import type { HeaderLine, RecordedExchange } from './recorded-exchange.ts';

/**
 * Reads the body of a request. `isOwn`: whether a run of this suite wrote the entry. Redaction can shorten the texts
 * of an entry that this suite wrote.
 */
export function readRequestBody(
  request: Readonly<Record<string, unknown>>,
  headers: readonly HeaderLine[],
  { isOwn }: { readonly isOwn: boolean },
): Pick<RecordedExchange['request'], 'body' | 'bodyLost'> {
  const data = toMapping(request.postData);
  const text = asText(data.text) ?? readOwnBody(request.body);
  const length = readContentLength(headers);
  const size = asNumber(request.bodySize) ?? 0;
  const readHeader = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const isCoded = readHeader('content-encoding') !== undefined;
  const hasSize = toList(data.params).length > 0 || (length ?? 0) > 0 || size > 0 || data._file !== undefined;
  const hadBody = hasSize || readHeader('transfer-encoding') !== undefined || isCoded;
  const isTruncated = data._sha256 !== undefined || toMapping(request.body).sha256 !== undefined;
  if (text === undefined) {
    // Only a Content-Length of 0 or `body: null` proves that a POST, or a request with a Content-Type, had no body:
    // many recorders omit long or streamed bodies.
    const isPost =
      String(request.method).toUpperCase() === 'POST' || readHeader('content-type') !== undefined;
    const mayHaveBody = isPost && length === undefined && request.body !== null;
    return hadBody || mayHaveBody ? { body: undefined, bodyLost: true } : { body: undefined };
  }
  if (text === '' && hadBody) return { body: undefined, bodyLost: true };
  const whole = data.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  const isIncomplete =
    isTruncated ||
    (!isOwn && Buffer.byteLength(whole) < Math.max(length ?? 0, size) && readContent(whole).kind !== 'json');
  return isIncomplete || isCoded ? { body: whole, bodyLost: true } : { body: whole };
}

/** Members of a body in a report of this suite. An object without these members is the JSON value that was sent. */
const ownMembers = ['text', 'bytes', 'sha256', 'unreadable'];

/**
 * Reads the body of an exchange that is not a HAR entry: a text, a JSON object or array, or an object of this suite.
 * Returns undefined for any other value, and for an object of this suite without a text.
 */
function readOwnBody(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return asText(body);
  const members = Object.keys(body);
  const isOwn = !Array.isArray(body) && members.some((name) => ownMembers.includes(name));
  return isOwn ? asText(toMapping(body).text) : JSON.stringify(body);
}

function readContentLength(headers: readonly HeaderLine[]): number | undefined {
  return asNumber(headers.find(([name]) => name === 'content-length')?.[1]);
}

/** Reads the body of a response. A HAR usually contains the decoded body. */
export function readResponseBody(
  response: Readonly<Record<string, unknown>>,
  status: number,
  headers: Readonly<Record<string, string>>,
  { isOwn }: { readonly isOwn: boolean },
): Pick<Answer, 'text' | 'size' | 'content'> {
  const content = toMapping(response.content ?? response.body);
  const stated = asNumber(content.size ?? content.bytes) ?? -1;
  const length = asNumber(headers['content-length']);
  const given = asText(content.text) ?? readOwnBody(response.body);
  const lost = (reason: string, text = ''): Pick<Answer, 'text' | 'size' | 'content'> => ({
    text,
    size: Math.max(stated, 0),
    content: { kind: 'unreadable', reason },
  });
  if (given === undefined) {
    const isEmpty = length === 0 || status === 204 || status === 304;
    return isEmpty
      ? { text: '', size: 0, content: readContent('') }
      : lost('the body is not in the recording');
  }
  const {
    text,
    content: read,
    problem,
  } = decodeContent(status, given, content.encoding, headers['content-encoding']);
  const unreadable = asText(content._unreadable) ?? asText(content.unreadable) ?? problem;
  if (unreadable !== undefined) return lost(unreadable, text);
  if (content._sha256 !== undefined || content.sha256 !== undefined)
    return lost('only its beginning is in the recording', text);
  const bytes = Buffer.byteLength(text);
  const isCoded = headers['content-encoding'] !== undefined;
  const isCutOff =
    bytes < Math.max(stated, isCoded ? 0 : (length ?? 0)) || asText(response._error) !== undefined;
  if (!isOwn && read.kind !== 'json' && isCutOff)
    return lost('a part of the body is not in the recording', text);
  return { text, size: stated < 0 ? bytes : stated, content: read };
}

/**
 * Parses a text. Decodes base64 and, in base64, also the content coding, since some recorders keep the coded bytes.
 */
function decodeContent(
  status: number,
  given: string,
  encoding: unknown,
  coding: string | undefined,
): Pick<Answer, 'text' | 'content'> & { readonly problem?: string } {
  if (encoding !== 'base64') return { text: given, content: readContent(given) };
  const bytes = Buffer.from(given, 'base64');
  const read = readResponse(status, bytes);
  if (coding === undefined || readContent(read.text).kind === 'json' || !read.text.includes('\ufffd'))
    return read;
  const decoded = decodeBody(bytes, coding, maxDecodedBytes);
  return decoded.kind === 'bytes'
    ? readResponse(status, decoded.bytes)
    : { text: '', content: readContent(''), problem: decoded.reason };
}

/** The maximum size of a decoded body, in bytes. */
const maxDecodedBytes = 16 * 1024 * 1024;

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns a finite number, or the finite number that a text contains. Returns undefined for any other value. */
export function asNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
