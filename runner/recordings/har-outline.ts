import { JSONParser, TokenType } from '@streamparser/json';

/** A value of a HAR's log, as soon as it is complete. */
export type HarValue =
  | { readonly kind: 'entry'; readonly value: unknown }
  | { readonly kind: 'about'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'broken'; readonly problem: string };

/** A HAR while it is read piece by piece, with entries left out that were read by themselves. */
export interface HarFrame {
  /** Reads on, at most to where an entry can begin; gives the place behind what was read. */
  readonly read: (bytes: Uint8Array, from: number) => number;
  /** Whether the next thing, but for white space, must be an entry. */
  readonly awaitsEntry: () => boolean;
  /** Takes an entry that was read by itself, and how many bytes it has. */
  readonly take: (value: unknown, bytes: number) => void;
  /** What is complete since this was last asked. */
  readonly found: () => readonly HarValue[];
  /** Whether nothing that follows matters: it is whole, or broken. */
  readonly isOver: () => boolean;
  /** Why it can't be read on; undefined where it is whole. */
  readonly problem: () => string | undefined;
}

/** What is said of a whole log; this suite's own members begin with `_`. */
const about = ['version', 'creator', '_target', '_notJudged'];
/** What the parser is told in the place of entries that were read by themselves, and of what stands between them. */
const [standIn, standInAndComma] = [Buffer.from('{}'), Buffer.from('{},')];
const [comma, bracket] = [0x2c, 0x5b];

/** The deepest nesting that is read; the parser looks at all open levels for each value that ends. */
const mostLevels = 100;

const nothing: readonly HarValue[] = [];

function isWhite(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function openFrame(): HarFrame {
  const parser = new JSONParser({
    paths: ['$.log.entries.*', ...about.map((name) => `$.log.${name}`)],
    keepStack: false,
    // Bodies are long, and full of escapes: to put each letter of them together by itself takes longer.
    stringBufferSize: 64 * 1024,
    numberBufferSize: 64,
  });
  let found: HarValue[] = [];
  let problem: string | undefined;
  /** What it must be told before anything else; one entry stands for all before it, too. */
  let owed: Buffer | undefined;
  /** How many bytes the parser was spared. */
  let spared = 0;
  const place = followEntries();
  parser.onToken = (token) => {
    place.take(token);
    if (place.depth() > mostLevels)
      problem ??= `Lists and objects are nested deeper than ${mostLevels} levels at byte ${token.offset + spared}.`;
  };
  parser.onValue = ({ value, key }) => {
    if (owed) return;
    found.push(
      typeof key === 'number' ? { kind: 'entry', value } : { kind: 'about', name: String(key), value },
    );
  };
  parser.onError = (error) => {
    const at = /absolute position "(\d+)"/.exec(error.message)?.[1];
    problem ??= `It is no JSON any more${at === undefined ? '' : ` at byte ${Number(at) + spared}`}.`;
  };
  const settle = (): void => {
    if (!owed) return;
    parser.write(owed);
    spared -= owed.length;
    owed = undefined;
  };
  return {
    read(bytes, from) {
      let end = from;
      while ((owed || place.awaitsEntry()) && isWhite(bytes[end])) end += 1;
      if (owed === standIn && bytes[end] === comma) {
        owed = standInAndComma;
        end += 1;
      }
      spared += end - from;
      if (end > from) return end;
      settle();
      while (end < bytes.length && bytes[end] !== comma && bytes[end] !== bracket) end += 1;
      end = Math.min(end + 1, bytes.length);
      place.leave();
      parser.write(bytes.subarray(from, end));
      return end;
    },
    awaitsEntry: () => (owed ? owed === standInAndComma : place.awaitsEntry()),
    take(value, bytes) {
      found.push({ kind: 'entry', value });
      owed = standIn;
      spared += bytes;
    },
    found() {
      if (found.length === 0) return nothing;
      const ready = found;
      found = [];
      return ready;
    },
    isOver: () => problem !== undefined || parser.isEnded,
    problem: () =>
      problem ?? (parser.isEnded ? undefined : 'It ends in the middle; it may have been cut off.'),
  };
}

/** Follows the tokens of a HAR to where an entry can begin: behind the bracket of `log.entries`, or a comma in that list. */
function followEntries(): {
  readonly take: (token: { readonly token: TokenType; readonly value?: unknown }) => void;
  readonly leave: () => void;
  readonly awaitsEntry: () => boolean;
  /** How many lists and objects are open. */
  readonly depth: () => number;
} {
  let depth = 0;
  let text: unknown;
  const names: unknown[] = [];
  let isInEntries = false;
  let awaits = false;
  const open = (): void => {
    depth += 1;
    if (depth <= 2) names[depth] = undefined;
  };
  return {
    take({ token, value }) {
      awaits = false;
      switch (token) {
        case TokenType.STRING:
          text = value;
          break;
        case TokenType.COLON:
          if (depth <= 2) names[depth] = text;
          break;
        case TokenType.LEFT_BRACKET:
          isInEntries ||= depth === 2 && names[1] === 'log' && names[2] === 'entries';
          awaits = isInEntries && depth === 2;
          open();
          break;
        case TokenType.LEFT_BRACE:
          open();
          break;
        case TokenType.RIGHT_BRACKET:
        case TokenType.RIGHT_BRACE:
          depth -= 1;
          isInEntries &&= depth > 2;
          break;
        case TokenType.COMMA:
          awaits = isInEntries && depth === 3;
      }
    },
    leave() {
      awaits = false;
    },
    awaitsEntry: () => awaits,
    depth: () => depth,
  };
}
