import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { isObject, toList, toMapping } from '../../common/mapping.ts';

/** The content of a body: JSON, other text, or content that cannot be judged. */
export type BodyContent =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `reason` states why a text that looks like JSON is not treated as JSON. */
  | { readonly kind: 'text'; readonly reason?: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

type DecodedBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** `hasDecoderFailed` is false if a coding is not supported, or if the body has too many codings. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly hasDecoderFailed: boolean };

const decoders: Readonly<Record<string, (bytes: Buffer, limit: number) => Buffer>> = {
  gzip: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  'x-gzip': (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  // Some servers send raw deflate data with this coding, instead of the zlib format that RFC 9110 requires.
  deflate: (bytes, maxOutputLength) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? inflateSync(bytes, { maxOutputLength })
      : inflateRawSync(bytes, { maxOutputLength }),
  identity: (bytes) => bytes,
};

/** The maximum number of content codings. curl, undici and urllib3 have the same limit. */
const maxCodings = 5;

/**
 * Decodes the content codings of a body. Returns the kind `unreadable` for an unsupported coding, for more than five
 * codings, for invalid data, and for data that a decoder expands to more than `limit` bytes.
 */
export function decodeBody(bytes: Buffer, contentEncoding: string, limit: number): DecodedBody {
  let decoded = bytes;
  const codings = contentEncoding
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter(Boolean);
  if (codings.length > maxCodings) {
    const reason = `the body has ${codings.length} content codings, but at most ${maxCodings} are decoded`;
    return { kind: 'unreadable', reason, hasDecoderFailed: false };
  }
  for (const coding of codings.reverse()) {
    const decoder = decoders[coding];
    if (!decoder)
      return {
        kind: 'unreadable',
        reason: `its content coding "${coding}" is not supported`,
        hasDecoderFailed: false,
      };
    if (decoded.length === 0) continue;
    try {
      decoded = decoder(decoded, limit);
    } catch (cause) {
      return {
        kind: 'unreadable',
        reason: `the body cannot be decoded as ${coding}: ${cause instanceof Error ? cause.message : cause}`,
        hasDecoderFailed: true,
      };
    }
  }
  return { kind: 'bytes', bytes: decoded };
}

/**
 * The possible first characters of JSON. Texts with another first character are not parsed, because `JSON.parse` is
 * slow to reject such texts.
 */
const jsonStart = /^\s*[{["\dtfn-]/;

/** The maximum depth of JSON. `JSON.parse` needs about 70 bytes of memory for each level. */
const maxDepth = 200_000;

/**
 * Parses a decoded body as JSON. Returns the kind `text` for a body that is not JSON, and `unreadable` for a body
 * with more than 200,000 levels of nesting.
 */
export function readContent(text: string): BodyContent {
  if (!jsonStart.test(text)) return { kind: 'text' };
  if (isDeeperThan(maxDepth, text))
    return { kind: 'unreadable', reason: `the body is nested deeper than ${maxDepth} levels` };
  try {
    return { kind: 'json', value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    return { kind: 'text' };
  }
}

/**
 * Parses the decoded body of a response. An error response must be JSON in UTF-8 (2.2, 2.3; RFC 8259, 8.1), so an
 * error body with invalid UTF-8 counts as text. In other responses, U+FFFD replaces the invalid bytes.
 */
export function readResponse(
  status: number,
  bytes: Buffer,
): { readonly text: string; readonly content: BodyContent } {
  const text = bytes.toString('utf8');
  const content = readContent(text);
  if (status < 400 || content.kind !== 'json' || isUtf8(bytes)) return { text, content };
  return { text, content: { kind: 'text', reason: 'the body is not valid UTF-8' } };
}

const [quote, backslash, openList, closeList, open, close] = [...'"\\[]{}'].map((sign) => sign.charCodeAt(0));

/** Whether the arrays and objects of a JSON text are nested deeper than `levels`. Does not parse the text. */
export function isDeeperThan(levels: number, text: string): boolean {
  // Each level needs at least two characters: its brackets.
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

/** The members that contain the model output in each protocol, in order of preference. */
const outputMembers = ['choices', 'candidates', 'output', 'content'];
/** The members that describe an item of the output, but are not output. */
const itemDetails = new Set(
  'id type role status error finish_reason finishReason finishMessage native_finish_reason stop_reason stop_sequence safetyRatings content_filter_results'.split(
    ' ',
  ),
);
/** The members in which the protocols send texts, tool calls and media. */
const outputTexts = new Set(
  'content text delta output_text refusal reasoning reasoning_content thinking partial_json arguments name data b64_json'.split(
    ' ',
  ),
);

/**
 * Whether a body contains an error with a type or a message, and no model output. The response can be plain or
 * streamed. An item of the output without any text does not count as output. In a document without a list of output
 * items, an object or a non-empty array next to the error counts as output. A document of an unknown protocol without
 * an error also counts as output.
 */
export function hasOnlyError(text: string): boolean {
  if (!/"error"/.test(text)) return false;
  const documents = documentsIn(text);
  if (!documents?.some(isErrorDocument)) return false;
  return documents.every((document) => isErrorDocument(document) || isBeginning(document));
}

/**
 * Whether a JSON value is an object whose only members are an `error` with a non-empty message and, optionally, a
 * `trace_id`.
 */
export function isErrorBody(body: unknown): boolean {
  const { error, trace_id: _traceId, ...rest } = toMapping(body);
  const { message } = toMapping(error);
  return typeof message === 'string' && message !== '' && Object.keys(rest).length === 0;
}

/**
 * Returns the JSON values of a body: the body itself, the items of an array, or the data of each event or line except
 * the end mark `[DONE]`. Returns undefined if any of these values is not JSON.
 */
function documentsIn(text: string): readonly unknown[] | undefined {
  const parse = (json: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      return undefined;
    }
  };
  const whole = /^\s*[{[]/.test(text) ? parse(text) : undefined;
  if (whole !== undefined) return Array.isArray(whole) ? toList(whole) : [whole];
  const data = text
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !/^(:|event:|id:|retry:)/.test(line))
    .map((line) => line.replace(/^data: ?/, ''))
    .filter((line) => line !== '[DONE]');
  const documents = data.map(parse);
  return documents.includes(undefined) ? undefined : documents;
}

function isErrorDocument(document: unknown): boolean {
  const { error, response, ...rest } = toMapping(document);
  const found = toMapping(error ?? toMapping(response).error);
  const isNamed = [found.type, found.message].some((text) => typeof text === 'string' && text !== '');
  const known = outputMembers.find((name) => Array.isArray(rest[name]));
  const hasOutput =
    known === undefined
      ? Object.values(rest).some((value) => isObject(value) || (Array.isArray(value) && value.length > 0))
      : hasText(rest[known], () => true, itemDetails);
  return isNamed && !hasOutput && !hasOutputText(toMapping(response).output);
}

/** Whether a value is a part of a stream in a known protocol and contains no model output. */
function isBeginning(document: unknown): boolean {
  const { type, choices, candidates } = toMapping(document);
  const isKnown = /^(response\.|message_|content_block_|ping$)/.test(String(type)) || choices || candidates;
  return Boolean(isKnown) && !hasOutputText(document);
}

function hasOutputText(value: unknown): boolean {
  return hasText(value, (name) => outputTexts.has(name));
}

/**
 * Whether a value contains, at any depth, a non-empty text in a member for which `isOutput` returns true. Members in
 * `ignored`, and all contents of these members, do not count. For an array, the member names are the indexes.
 */
function hasText(
  value: unknown,
  isOutput: (name: string) => boolean,
  ignored: ReadonlySet<string> = new Set(),
): boolean {
  // Recursion would overflow the stack for a deeply nested value.
  const open = [value];
  for (const item of open) {
    if (typeof item !== 'object' || item === null) continue;
    for (const [name, member] of Object.entries(item)) {
      if (ignored.has(name)) continue;
      if (typeof member !== 'string') open.push(member);
      else if (member !== '' && isOutput(name)) return true;
    }
  }
  return false;
}

/**
 * Encodes a body as UTF-8. A lone surrogate from U+DC80 to U+DCFF becomes one byte, from 0x80 to 0xFF, which is
 * not valid UTF-8. Returns a text without lone surrogates unchanged.
 */
export function encodeBody(body: string): string | Buffer {
  if (body.isWellFormed()) return body;
  const parts = body.split(/(?<![\ud800-\udbff])([\udc80-\udcff])/);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 1 ? Buffer.from([part.charCodeAt(0) & 0xff]) : Buffer.from(part),
    ),
  );
}
