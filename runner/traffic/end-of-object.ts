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
