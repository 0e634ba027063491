/** The beginning of a body, never more than its limit. */
export interface KeptPieces {
  /** Takes the next piece; keeps it where there is room. */
  readonly add: (piece: Buffer) => void;
  readonly pieces: readonly Buffer[];
  /** How many pieces, and bytes, came in all. */
  readonly seen: () => { readonly pieces: number; readonly bytes: number };
  readonly isWhole: () => boolean;
}

/** Keeps the pieces of a body up to `limit` bytes, and counts the others. */
export function keepPieces(limit: number): KeptPieces {
  const pieces: Buffer[] = [];
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
      pieces.push(part);
    },
    pieces,
    seen: () => ({ pieces: count, bytes }),
    isWhole: () => kept === bytes,
  };
}
