import { list, mapping } from '../../contract/mapping.ts';
import { decodeBody, readContent } from '../transport/decode.ts';
import type { Answer } from '../transport/exchange.ts';
import type { HeaderLine, Recorded } from './recorded-exchange.ts';

/** The body of a request, as far as it was recorded; `isOwn` in a recording of this suite's, whose redacted texts are shorter. */
export function sentBody(
  request: Readonly<Record<string, unknown>>,
  headers: readonly HeaderLine[],
  { isOwn }: { readonly isOwn: boolean },
): Pick<Recorded['request'], 'body' | 'bodyLost'> {
  const data = mapping(request.postData);
  const own = typeof request.body === 'string' ? request.body : mapping(request.body).text;
  const text = textOf(data.text) ?? textOf(own);
  const length = lengthIn(headers);
  const size = numberOf(request.bodySize) ?? 0;
  const said = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const isSaid = list(data.params).length > 0 || (length ?? 0) > 0 || size > 0 || data._file !== undefined;
  const was = isSaid || said('transfer-encoding') !== undefined || said('content-encoding') !== undefined;
  const cut = data._sha256 !== undefined || mapping(request.body).sha256 !== undefined;
  if (text === undefined) {
    // Nothing says that a POST had no body but its length; many recorders leave out what is long or streamed.
    const isOpen = length === undefined && said('content-type') !== undefined && request.body !== null;
    return was || isOpen ? { body: undefined, bodyLost: true } : { body: undefined };
  }
  if (text === '' && was) return { body: undefined, bodyLost: true };
  const whole = data.encoding === 'base64' ? Buffer.from(text, 'base64').toString('utf8') : text;
  const isCut =
    cut ||
    (!isOwn && Buffer.byteLength(whole) < Math.max(length ?? 0, size) && readContent(whole).kind !== 'json');
  return isCut || said('content-encoding') !== undefined ? { body: whole, bodyLost: true } : { body: whole };
}

function lengthIn(headers: readonly HeaderLine[]): number | undefined {
  return numberOf(headers.find(([name]) => name === 'content-length')?.[1]);
}

/** The body of an answer, as far as it was recorded; a HAR has it with its content coding undone. */
export function receivedBody(
  response: Readonly<Record<string, unknown>>,
  status: number,
  headers: Readonly<Record<string, string>>,
  { isOwn }: { readonly isOwn: boolean },
): Pick<Answer, 'text' | 'size' | 'content'> {
  const content = mapping(response.content ?? response.body);
  const stated = numberOf(content.size ?? content.bytes) ?? -1;
  const length = numberOf(headers['content-length']);
  const given = typeof response.body === 'string' ? response.body : textOf(content.text);
  const lost = (reason: string, text = ''): Pick<Answer, 'text' | 'size' | 'content'> => ({
    text,
    size: Math.max(stated, 0),
    content: { kind: 'unreadable', reason },
  });
  if (given === undefined) {
    const isEmpty = length === 0 || status === 204 || status === 304;
    return isEmpty ? { text: '', size: 0, content: readContent('') } : lost('the recording does not have it');
  }
  const { text, problem } = wholeText(given, content.encoding, headers['content-encoding']);
  const told = textOf(content._unreadable) ?? textOf(content.unreadable) ?? problem;
  if (told !== undefined) return lost(told, text);
  if (content._sha256 !== undefined || content.sha256 !== undefined)
    return lost('only its beginning is in the recording', text);
  const read = readContent(text);
  const bytes = Buffer.byteLength(text);
  const coded = headers['content-encoding'] !== undefined;
  const isShort =
    bytes < Math.max(stated, coded ? 0 : (length ?? 0)) || textOf(response._error) !== undefined;
  if (!isOwn && read.kind !== 'json' && isShort) return lost('the recording does not have all of it', text);
  return { text, size: stated < 0 ? bytes : stated, content: read };
}

/** A text as it was received; some recorders leave its coding on it. */
function wholeText(
  given: string,
  encoding: unknown,
  coding: string | undefined,
): { readonly text: string; readonly problem?: string } {
  if (encoding !== 'base64') return { text: given };
  const bytes = Buffer.from(given, 'base64');
  const text = bytes.toString('utf8');
  if (coding === undefined || readContent(text).kind === 'json' || !text.includes('\ufffd')) return { text };
  const decoded = decodeBody(bytes, coding, longestDecoded);
  return decoded.kind === 'bytes'
    ? { text: decoded.bytes.toString('utf8') }
    : { text: '', problem: decoded.reason };
}

/** The most that a coded body of a recording may come to, in bytes. */
const longestDecoded = 16 * 1024 * 1024;

/** A value that is a text. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A value that is a number, or a text that says one. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
