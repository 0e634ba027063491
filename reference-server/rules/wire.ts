import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { readDuration } from '../../common/duration.ts';
import type { Json } from '../json.ts';
import type { Header, WireResponse } from '../wire/response.ts';
import { cutAfter, encodeChunk, joinChunks } from '../wire/wire-changes.ts';
import type { Change, HeaderEdits } from './rule.ts';
import { edit, type Right } from './template.ts';

/** What a server adds to the changes of an encoded response. */
export type WireTools = {
  /** Returns the error event of a stream for this reason; undefined if the server has no errors of its own. */
  readonly createErrorEvent: (reason: string) => string | undefined;
  /** Resolves when held responses are released. */
  readonly released: () => Promise<void>;
};

/** Applies the headers of a reply and the changes of the wire. */
export function changeWire(wire: WireResponse, change: Change, tools: WireTools): WireResponse {
  const { headers, error, encode, split, cut, close, after, untilReleased } = change;
  let sent = wire;
  if (encode !== undefined) sent = encodings[encode]?.(sent) ?? sent;
  if (headers !== undefined) sent = { ...sent, headers: editHeaders(sent.headers, headers) };
  if (error !== undefined && sent.framing === 'chunked') sent = failInside(sent, error, tools);
  if (split !== undefined) sent = splitChunks(sent, split);
  if (cut !== undefined) sent = cutAfter(sent, cut);
  if (close !== undefined) sent = { ...sent, ending: close === 'before-headers' ? 'unanswered' : 'closed' };
  if (after !== undefined) sent = { ...sent, after: sent.after + (readDuration(after) ?? 0) };
  return untilReleased === true ? { ...sent, released: tools.released() } : sent;
}

/**
 * Edits headers in their place, and adds the others at the end. Names are compared without regard to case. `*` stands for
 * all other headers.
 */
function editHeaders(headers: readonly Header[], edits: HeaderEdits): readonly Header[] {
  const textOf = (value: Json | undefined): string | undefined =>
    value === undefined ? undefined : String(value);
  const right: Right = { body: null, headers };
  const { '*': others, ...named } = edits;
  const pending = new Map(Object.entries(named).map(([name, how]) => [name.toLowerCase(), { name, how }]));
  const added = new Set(pending.keys());
  const edited = headers.flatMap(([name, old]): Header[] => {
    const found = pending.get(name.toLowerCase()) ?? { name, how: others };
    if (found.how === undefined) return [[name, old]];
    added.delete(name.toLowerCase());
    const value = textOf(edit(found.how, old, right));
    return value === undefined ? [] : [[found.name, value]];
  });
  const more = [...pending].flatMap(([key, { name, how }]): Header[] => {
    const value = added.has(key) ? textOf(edit(how, undefined, right)) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return [...edited, ...more];
}

/** Divides each chunk into parts of at most this number of bytes. */
function splitChunks(wire: WireResponse, size: number): WireResponse {
  const chunks = wire.chunks.flatMap((chunk) => {
    const bytes = encodeChunk(chunk);
    return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => ({
      after: index === 0 ? chunk.after : 0,
      data: bytes.subarray(index * size, (index + 1) * size),
    }));
  });
  return { ...wire, framing: 'chunked', chunks };
}

/** Replaces the part of a stream after some chunks with an error event. */
function failInside(wire: WireResponse, error: NonNullable<Change['error']>, tools: WireTools): WireResponse {
  const { reason, after = 1 } = typeof error === 'string' ? { reason: error } : error;
  const data = tools.createErrorEvent(reason);
  if (data === undefined) return wire;
  return { ...wire, chunks: [...wire.chunks.slice(0, after), { after: 1, data }] };
}

const compressed =
  (name: string, compress: (bytes: Buffer) => Buffer) =>
  (wire: WireResponse): WireResponse => ({
    ...wire,
    headers: [...wire.headers, ['content-encoding', name]],
    chunks: [{ after: 0, data: compress(joinChunks(wire)) }],
  });

/** The encodings of a body, by name. */
const encodings: Readonly<Record<string, (wire: WireResponse) => WireResponse>> = {
  latin1: (wire) => ({
    ...wire,
    chunks: wire.chunks.map(({ after, data }) => ({
      after,
      data: Buffer.from(typeof data === 'string' ? data : Buffer.from(data).toString(), 'latin1'),
    })),
  }),
  gzip: compressed('gzip', gzipSync),
  deflate: compressed('deflate', deflateSync),
  // Some servers send deflate without the zlib header that RFC 9110 requires.
  'deflate-raw': compressed('deflate', deflateRawSync),
  // Servers that compress on the fly use a low quality. The highest takes a hundred times as long.
  br: compressed('br', (bytes) =>
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  ),
};
