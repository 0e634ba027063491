import type { Chunk, Wire } from './answer.ts';

// The first sends what is still held back, the head at least; behind the second the client has had time to read it.
const beforeTheEnd: readonly Chunk[] = [0, 20].map((after) => ({ after, data: new Uint8Array() }));

/** The bytes of a piece of a body. */
export function bytesOf({ data }: Chunk): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data) : data;
}

/** The bytes of a whole body. */
export function bodyOf(wire: Wire): Buffer {
  return Buffer.concat(wire.chunks.map(bytesOf));
}

/** An answer whose connection breaks after so many chunks of its body, at the latest where its end would be told. */
export function cutAfter(wire: Wire, chunks: number): Wire {
  return {
    ...wire,
    // With a length, a body whose last chunk was sent would be complete.
    framing: 'chunked',
    chunks: [...wire.chunks.slice(0, chunks), ...beforeTheEnd],
    ending: 'cut',
  };
}

/** An answer with these headers, in the place of those that it has by these names in any case. */
export function withHeaders(wire: Wire, headers: Readonly<Record<string, string | number>>): Wire {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const others = wire.headers.filter(([name]) => !names.includes(name.toLowerCase()));
  const own = Object.entries(headers).map(([name, value]) => [name, String(value)] as const);
  return { ...wire, headers: [...others, ...own] };
}
