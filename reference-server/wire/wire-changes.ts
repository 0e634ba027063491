import type { Chunk, WireResponse } from './response.ts';

// The first empty chunk makes Node.js send the data in its buffer, at least the head. The pause before the second empty
// chunk gives the client time to read the data.
const beforeTheEnd: readonly Chunk[] = [0, 20].map((after) => ({ after, data: new Uint8Array() }));

/** Returns the bytes of a chunk. Text is encoded in UTF-8. */
export function encodeChunk({ data }: Chunk): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

/** Returns the bytes of a whole body. */
export function joinChunks(wire: WireResponse): Buffer {
  return Buffer.concat(wire.chunks.map(encodeChunk));
}

/**
 * Returns the response with a connection that breaks after this number of chunks, or after the last chunk of a shorter
 * body.
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
