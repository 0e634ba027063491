/** The beginning of a body, never more than its limit. */
export interface BodyBuffer {
  /** Takes the next piece; keeps it where there is room. */
  readonly add: (piece: Uint8Array) => void;
  /** What was kept, in one. */
  readonly kept: () => Buffer;
  /** How many pieces, and bytes, came in all. */
  readonly seen: () => { readonly pieces: number; readonly bytes: number };
  readonly isWhole: () => boolean;
}

/** A piece of a byte takes a hundred times that, so pieces become one as soon as there are so many. */
const mostApart = 1024;

/** Keeps the pieces of a body up to `limit` bytes, and counts the others. */
export function bufferBody(limit: number): BodyBuffer {
  const joined: Buffer[] = [];
  let apart: Uint8Array[] = [];
  let count = 0;
  let bytes = 0;
  let kept = 0;
  return {
    add: (piece) => {
      count += 1;
      bytes += piece.length;
      if (kept === limit) return;
      const part = piece.subarray(0, limit - kept);
      kept += part.length;
      apart.push(part);
      if (apart.length < mostApart) return;
      joined.push(Buffer.concat(apart));
      apart = [];
    },
    kept: () => Buffer.concat([...joined, ...apart]),
    seen: () => ({ pieces: count, bytes }),
    isWhole: () => kept === bytes,
  };
}
