import { createHarOutlineParser, type HarValue } from './har-outline.ts';

/** Reads a HAR piece by piece. Stores at most one incomplete entry. */
export interface HarReader {
  /** Returns the values that this piece completes. */
  readonly read: (piece: Uint8Array) => Iterable<HarValue>;
  /** Returns the remaining values. The last value is `broken` if the HAR is incomplete or invalid. */
  readonly end: () => Iterable<HarValue>;
  /** Whether the HAR is complete or invalid, so that nothing more needs to be read. */
  readonly isOver: () => boolean;
}

/**
 * The maximum size of an entry whose end was not read yet, in bytes. An entry that exceeds the limit without an end is
 * parsed piece by piece, which takes several times as long. An entry that is not JSON is also parsed piece by piece,
 * to find the byte of the error.
 */
const maxWholeEntryBytes = 1024 * 1024;

/**
 * Creates a reader that stores each entry until its end, and parses the entry as a whole. An entry without an end
 * after `maxEntryBytes`, an entry that is not JSON, and all other text are parsed piece by piece.
 */
export function createHarReader(maxEntryBytes: number = maxWholeEntryBytes): HarReader {
  const outline = createHarOutlineParser();
  const decoder = new TextDecoder('utf-8');
  let entry: { readonly open: PartialObject; readonly pieces: Uint8Array[]; length: number } | undefined;

  function* read(piece: Uint8Array): Generator<HarValue> {
    for (let at = 0; at < piece.length && !outline.isOver(); ) {
      if (entry) {
        const end = findObjectEnd(piece, at, entry.open);
        const part = piece.subarray(at, end);
        entry.pieces.push(part);
        entry.length += part.length;
        at += part.length;
        if (end === undefined && entry.length <= maxEntryBytes) return;
        close(entry.pieces);
      } else {
        const open = outline.isEntryNext() ? startObject(piece, at) : undefined;
        if (open) entry = { open, pieces: [], length: 0 };
        else at = outline.read(piece, at);
      }
      yield* outline.takeValues();
    }
  }

  function close(pieces: readonly Uint8Array[]): void {
    const [only] = pieces;
    const bytes = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    entry = undefined;
    const whole = tryParse(bytes);
    if (whole) outline.addEntry(whole.value, bytes.length);
    else for (let at = 0; at < bytes.length && !outline.isOver(); ) at = outline.read(bytes, at);
  }

  function tryParse(bytes: Uint8Array): { readonly value: unknown } | undefined {
    try {
      return { value: JSON.parse(decoder.decode(bytes)) };
    } catch {
      return undefined;
    }
  }

  return {
    read,
    *end() {
      if (entry) close(entry.pieces);
      yield* outline.takeValues();
      const problem = outline.problem();
      if (problem !== undefined) yield { kind: 'broken', problem };
    },
    isOver: outline.isOver,
  };
}

/** The state of the search for the end of an object that is divided between pieces. */
export interface PartialObject {
  depth: number;
  isInString: boolean;
  isEscaped: boolean;
}

const [quote, backslash, opening, closing] = [0x22, 0x5c, 0x7b, 0x7d];

/** Returns the state before an object if an object begins at this index; undefined otherwise. */
export function startObject(bytes: Uint8Array, index: number): PartialObject | undefined {
  return bytes[index] === opening ? { depth: 0, isInString: false, isEscaped: false } : undefined;
}

/**
 * Returns the index after the last byte of a JSON object. If the object continues after these bytes, updates `open` and
 * returns undefined. For invalid JSON, the result is the index after any closing brace, or undefined.
 */
export function findObjectEnd(bytes: Uint8Array, from: number, open: PartialObject): number | undefined {
  let { depth, isInString } = open;
  let index = open.isEscaped ? from + 1 : from;
  while (index < bytes.length) {
    const byte = bytes[index];
    index += 1;
    if (isInString) {
      if (byte === quote) isInString = false;
      else if (byte === backslash) index += 1;
    } else if (byte === quote) isInString = true;
    else if (byte === opening) depth += 1;
    else if (byte === closing) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  open.depth = depth;
  open.isInString = isInString;
  open.isEscaped = index > bytes.length;
  return undefined;
}
