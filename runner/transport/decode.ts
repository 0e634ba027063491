import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { BodyContent } from './exchange.ts';

type DecodedBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'unreadable'; readonly reason: string };

const decoders: Readonly<Record<string, (bytes: Buffer, limit: number) => Buffer>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  // Some servers send raw deflate under this name.
  deflate: (bytes, maxOutputLength) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? inflateSync(bytes, { maxOutputLength })
      : inflateRawSync(bytes, { maxOutputLength }),
  identity: (bytes) => bytes,
};

/** The maximum number of content codings. curl, undici and urllib3 have the same limit. */
const maxCodings = 5;

/** Decodes the content codings of a body, at most five, to at most `limit` bytes. */
export function decodeBody(bytes: Buffer, contentEncoding: string, limit: number): DecodedBody {
  let decoded = bytes;
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter(Boolean);
  if (codings.length > maxCodings) {
    const reason = `the body has ${codings.length} content codings, but at most ${maxCodings} are decoded`;
    return { kind: 'unreadable', reason };
  }
  for (const coding of codings.reverse()) {
    const decoder = decoders[coding];
    if (!decoder) return { kind: 'unreadable', reason: `its content coding "${coding}" is not supported` };
    if (decoded.length === 0) continue;
    try {
      decoded = decoder(decoded, limit);
    } catch (cause) {
      return {
        kind: 'unreadable',
        reason: `it can't be decoded as ${coding}: ${cause instanceof Error ? cause.message : cause}`,
      };
    }
  }
  return { kind: 'bytes', bytes: decoded };
}

/** The possible first characters of JSON. The errors of `JSON.parse` for other texts are slow. */
const jsonStart = /^\s*[{["\dtfn-]/;

/** `JSON.parse` needs about a hundred bytes of stack for each level. */
const maxDepth = 200_000;

/** Parses a decoded body as JSON; returns the kind `text` if it is not JSON. */
export function readContent(text: string): BodyContent {
  if (!jsonStart.test(text)) return { kind: 'text' };
  if (isDeeperThan(maxDepth, text))
    return { kind: 'unreadable', reason: `it is nested deeper than ${maxDepth} levels` };
  try {
    return { kind: 'json', value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    return { kind: 'text' };
  }
}

const [quote, backslash, openList, closeList, open, close] = [...'"\\[]{}'].map((sign) => sign.charCodeAt(0));

/** Whether arrays and objects of a JSON text are nested deeper than `levels`, without parsing it. */
export function isDeeperThan(levels: number, text: string): boolean {
  // Each level has two ends.
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (inText) {
      if (sign === backslash) at += 1;
      else if (sign === quote) inText = false;
    } else if (sign === quote) inText = true;
    else if (sign === openList || sign === open) {
      depth += 1;
      if (depth > levels) return true;
    } else if (sign === closeList || sign === close) depth -= 1;
  }
  return false;
}
