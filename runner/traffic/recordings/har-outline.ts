import { JSONParser, TokenType } from '@streamparser/json';

/** A complete value in the `log` of a HAR, or the problem because of which reading ends. */
export type HarValue =
  | { readonly kind: 'entry'; readonly value: unknown }
  | { readonly kind: 'metadata'; readonly name: string; readonly value: unknown }
  | { readonly kind: 'broken'; readonly problem: string };

/** Parses a HAR in pieces, except for the entries that the caller parses itself. */
export interface HarOutlineParser {
  /**
   * Skips white space and the comma after an added entry, or parses up to the next `,` or `[`, after which an entry
   * can begin. Returns the index after the last byte that was read.
   */
  readonly read: (bytes: Uint8Array, from: number) => number;
  /** Whether an entry can begin at the next byte that is not white space. */
  readonly isEntryNext: () => boolean;
  /** Adds an entry that the caller parsed, with its length in bytes. */
  readonly addEntry: (value: unknown, bytes: number) => void;
  /** Returns the values that were completed since the last call. */
  readonly takeValues: () => readonly HarValue[];
  /** Whether the HAR is complete or invalid, so that nothing more needs to be read. */
  readonly isOver: () => boolean;
  /** Returns the problem of the HAR so far; undefined if the HAR is complete. */
  readonly problem: () => string | undefined;
}

/**
 * The members of `log` that are read in addition to the entries. The members that only this suite writes begin with
 * `_`.
 */
const metadataMembers = ['version', 'creator', '_target', '_notJudged'];
/** Replacements for an entry that the caller parsed, without and with the comma after the entry. */
const [substitute, substituteAndComma] = [Buffer.from('{}'), Buffer.from('{},')];
const [comma, bracket] = [0x2c, 0x5b];

/** The maximum depth of nesting. For each completed value, the parser checks all open levels. */
const maxDepth = 100;

const noValues: readonly HarValue[] = [];

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

export function createHarOutlineParser(): HarOutlineParser {
  const parser = new JSONParser({
    paths: ['$.log.entries.*', ...metadataMembers.map((name) => `$.log.${name}`)],
    keepStack: false,
    // With a buffer, parsing long strings with many escapes is faster.
    stringBufferSize: 64 * 1024,
    numberBufferSize: 64,
  });
  let values: HarValue[] = [];
  let problem: string | undefined;
  /** The substitute to write to the parser before any other text. One substitute replaces any number of entries. */
  let pending: Buffer | undefined;
  let skippedBytes = 0;
  const tracker = createEntryTracker();
  parser.onToken = (token) => {
    tracker.addToken(token);
    if (tracker.depth() > maxDepth)
      problem ??= `arrays and objects are nested deeper than ${maxDepth} levels at byte ${token.offset + skippedBytes}. Remove this value.`;
  };
  parser.onValue = ({ value, key }) => {
    if (pending) return;
    values.push(
      typeof key === 'number' ? { kind: 'entry', value } : { kind: 'metadata', name: String(key), value },
    );
  };
  parser.onError = (error) => {
    const at = /absolute position "(\d+)"/.exec(error.message)?.[1];
    problem ??= `the JSON is invalid${at === undefined ? '' : ` at byte ${Number(at) + skippedBytes}`}. Correct the JSON, or save the recording again.`;
  };
  const writePending = (): void => {
    if (!pending) return;
    parser.write(pending);
    skippedBytes -= pending.length;
    pending = undefined;
  };
  return {
    read(bytes, from) {
      let end = from;
      while ((pending || tracker.awaitsEntry()) && isWhitespace(bytes[end])) end += 1;
      if (pending === substitute && bytes[end] === comma) {
        pending = substituteAndComma;
        end += 1;
      }
      skippedBytes += end - from;
      if (end > from) return end;
      writePending();
      while (end < bytes.length && bytes[end] !== comma && bytes[end] !== bracket) end += 1;
      end = Math.min(end + 1, bytes.length);
      tracker.leave();
      parser.write(bytes.subarray(from, end));
      return end;
    },
    isEntryNext: () => (pending ? pending === substituteAndComma : tracker.awaitsEntry()),
    addEntry(value, bytes) {
      values.push({ kind: 'entry', value });
      pending = substitute;
      skippedBytes += bytes;
    },
    takeValues() {
      if (values.length === 0) return noValues;
      const ready = values;
      values = [];
      return ready;
    },
    isOver: () => problem !== undefined || parser.isEnded,
    problem: () =>
      problem ??
      (parser.isEnded
        ? undefined
        : 'the JSON is incomplete. The recording may have been cut off. Save the recording again.'),
  };
}

/** Creates a tracker of the places where an entry can begin: after the `[` of `log.entries`, and after its commas. */
function createEntryTracker(): {
  readonly addToken: (token: { readonly token: TokenType; readonly value?: unknown }) => void;
  readonly leave: () => void;
  readonly awaitsEntry: () => boolean;
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
    addToken({ token, value }) {
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
