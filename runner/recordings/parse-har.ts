import { type HarValue, openFrame } from './har-outline.ts';

/** A HAR while it comes; what is done with is forgotten. A text that breaks off or is no JSON ends it. */
export interface HarReader {
  /** What is complete with that piece. */
  readonly read: (piece: Uint8Array) => Iterable<HarValue>;
  /** What is complete with the end of the text. */
  readonly end: () => Iterable<HarValue>;
  /** Whether nothing that follows matters. */
  readonly isOver: () => boolean;
}

/**
 * A longer entry is read piece by piece, which takes several times as long. So is one that is no JSON, or seems to have no
 * end because it is none: that tells where it breaks.
 */
const longestWhole = 1024 * 1024;

/** Reads each entry as a whole, as soon as it has ended, and what stands around them piece by piece. */
export function openHar(longest: number = longestWhole): HarReader {
  const frame = openFrame();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** The entry that has begun. */
  let entry: { readonly open: OpenObject; readonly pieces: Uint8Array[]; length: number } | undefined;

  function* read(piece: Uint8Array): Generator<HarValue> {
    for (let at = 0; at < piece.length && !frame.isOver(); ) {
      if (entry) {
        const end = endOfObject(piece, at, entry.open);
        const part = piece.subarray(at, end);
        entry.pieces.push(part);
        entry.length += part.length;
        at += part.length;
        if (end === undefined && entry.length <= longest) return;
        close(entry.pieces);
      } else {
        const open = frame.awaitsEntry() ? objectAt(piece, at) : undefined;
        if (open) entry = { open, pieces: [], length: 0 };
        else at = frame.read(piece, at);
      }
      yield* frame.found();
    }
  }

  function close(pieces: readonly Uint8Array[]): void {
    const [only] = pieces;
    const bytes = only && pieces.length === 1 ? only : Buffer.concat(pieces);
    entry = undefined;
    const whole = parsed(bytes);
    if (whole) frame.take(whole.value, bytes.length);
    else for (let at = 0; at < bytes.length && !frame.isOver(); ) at = frame.read(bytes, at);
  }

  function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
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
      yield* frame.found();
      const problem = frame.problem();
      if (problem !== undefined) yield { kind: 'broken', problem };
    },
    isOver: frame.isOver,
  };
}

/** How far an object was read whose end has not come. */
export interface OpenObject {
  depth: number;
  isInText: boolean;
  /** Whether the next byte is taken as it is, since a backslash stands before it. */
  isEscaped: boolean;
}

const [quote, backslash, opening, closing] = [0x22, 0x5c, 0x7b, 0x7d];

/** An object of which nothing was read, if its first brace comes next; undefined where something else does. */
export function objectAt(bytes: Uint8Array, place: number): OpenObject | undefined {
  return bytes[place] === opening ? { depth: 0, isInText: false, isEscaped: false } : undefined;
}

/**
 * The place behind the last byte of an object of JSON; undefined where it goes on behind these bytes, and then `open` tells
 * how. Of what is no JSON, it is the place of some brace, or none.
 */
export function endOfObject(bytes: Uint8Array, from: number, open: OpenObject): number | undefined {
  let { depth, isInText } = open;
  let place = open.isEscaped ? from + 1 : from;
  while (place < bytes.length) {
    const byte = bytes[place];
    place += 1;
    if (isInText) {
      if (byte === quote) isInText = false;
      else if (byte === backslash) place += 1;
    } else if (byte === quote) isInText = true;
    else if (byte === opening) depth += 1;
    else if (byte === closing) {
      depth -= 1;
      if (depth === 0) return place;
    }
  }
  open.depth = depth;
  open.isInText = isInText;
  open.isEscaped = place > bytes.length;
  return undefined;
}
