import type { Chunk, WireResponse } from './response.ts';

// The first chunk flushes data that Node.js still buffers, at least the head. The second chunk gives the client time to
// read the data.
const beforeTheEnd: readonly Chunk[] = [0, 20].map((after) => ({ after, data: new Uint8Array() }));

/** Returns the bytes of a chunk. */
export function chunkBytes({ data }: Chunk): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

/** Returns the bytes of a whole body. */
export function bodyBytes(wire: WireResponse): Buffer {
  return Buffer.concat(wire.chunks.map(chunkBytes));
}

/**
 * Breaks the connection of a response after the given number of chunks of its body, or after the last chunk of
 * a shorter body.
 */
export function cutAfter(wire: WireResponse, chunks: number): WireResponse {
  return {
    ...wire,
    // With a content length, the client would consider a body complete after its last chunk.
    framing: 'chunked',
    chunks: [...wire.chunks.slice(0, chunks), ...beforeTheEnd],
    ending: 'cut',
  };
}

/** Replaces headers of a response by name, ignoring case. Adds headers that the response does not have. */
export function withHeaders(
  wire: WireResponse,
  headers: Readonly<Record<string, string | number>>,
): WireResponse {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const others = wire.headers.filter(([name]) => !names.includes(name.toLowerCase()));
  const own = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { ...wire, headers: [...others, ...own] };
}
