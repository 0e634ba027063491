/** A line of a text, from 1; without its text where that is longer than can be kept. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** The longest line that is kept, in bytes. */
const longestLine = 64 * 1024 * 1024;
const lineEnd = 0x0a;

/** The lines of a text while it comes; never more than one of them is kept, and of one that is too long nothing. */
export function splitLines(longest: number = longestLine): {
  /** The lines that end in that piece. */
  readonly read: (piece: Uint8Array) => Iterable<Line>;
  /** What stands behind the last line end. */
  readonly end: () => Iterable<Line>;
} {
  let number = 1;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const add = (piece: Uint8Array): void => {
    length += piece.length;
    if (length > longest) pieces = [];
    else if (piece.length > 0) pieces.push(piece);
  };
  const line = (): Line => ({
    number,
    text: length > longest ? undefined : Buffer.concat(pieces).toString('utf8'),
  });
  return {
    *read(piece) {
      let start = 0;
      for (let end = piece.indexOf(lineEnd); end >= 0; end = piece.indexOf(lineEnd, start)) {
        add(piece.subarray(start, end));
        yield line();
        [pieces, length, start] = [[], 0, end + 1];
        number += 1;
      }
      add(piece.subarray(start));
    },
    *end() {
      if (length > 0) yield line();
    },
  };
}
