import { constants, gunzipSync, inflateSync } from 'node:zlib';

/** A stretch of a text that encodes bytes. `end` is the index after the stretch. */
export interface DecodedStretch {
  readonly start: number;
  readonly end: number;
  /** The decoded (and possibly decompressed) bytes as Latin-1 text, without NUL characters. */
  readonly letters: string;
}

interface Encoding {
  /** Matches text that may encode ten bytes or more. */
  readonly stretches: RegExp;
  /** The number of offsets from which a stretch is decoded, since other text may precede the encoded bytes. */
  readonly group: number;
  readonly decode: (text: string) => Buffer;
}

/** Encodings whose text consists of the characters of `run`. */
const runEncodings: readonly Encoding[] = [
  { stretches: /[a-z0-9+/]{14,}={0,2}/gi, group: 4, decode: (text) => Buffer.from(text, 'base64') },
  { stretches: /[a-z0-9_-]{14,}={0,2}/gi, group: 4, decode: (text) => Buffer.from(text, 'base64url') },
  { stretches: /[a-z2-7]{16,}={0,6}/gi, group: 8, decode: decodeBase32 },
  { stretches: /(?:[0-9a-f]{2}){10,}/gi, group: 2, decode: (text) => Buffer.from(text, 'hex') },
];

/** Matches the text that can contain a stretch of `runEncodings`. One search is faster than four. */
const run = /[a-z0-9+/_-]{14,}={0,6}/gi;

const numberEncodings: readonly Encoding[] = [
  // Numbers in the formats of JSON, `{"type":"Buffer","data":[…]}` of Node.js, `[115 107]` of Go, and `0x73, 0x6b`.
  {
    stretches:
      /(?<![\w.])(?:0x[0-9a-f]{1,2}|[0-9]{1,3})(?:[\s,;|"'+]{1,8}(?:0x[0-9a-f]{1,2}|[0-9]{1,3})){9,}/gi,
    group: 1,
    decode: (text) =>
      Buffer.from(text.split(/\W+/).flatMap((word) => (Number(word) < 256 ? [Number(word)] : []))),
  },
  // Bytes as binary digits, in the format of Python and Ruby.
  {
    stretches: /(?<![\w.])[01]{8}(?:[\s,;]{0,8}[01]{8}){9,}/g,
    group: 1,
    decode: (text) => Buffer.from(text.match(/[01]{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []),
  },
];

/** The number of decoded characters that may still be searched. Nested and compressed encodings need this limit. */
export interface DecodingBudget {
  left: number;
}

/** Returns the budget for a text: four times its length, for several encodings of each character, plus 65,536. */
export function budgetFor(text: string): DecodingBudget {
  return { left: 4 * text.length + 64 * 1024 };
}

/**
 * Yields the stretches of a text that encode ten visible ASCII characters in a row, not counting NUL bytes. A stretch
 * with several such decodings is yielded once for each. Also decompresses bytes. Subtracts the length of each result
 * from the budget, and stops when the budget is used up.
 */
export function* decodingsOf(text: string, budget: DecodingBudget): Generator<DecodedStretch> {
  const runs = Array.from(text.matchAll(run)).filter(([letters]) => !unreadable.has(letters));
  const readable = new Set<number>();
  // Each encoding searches all runs before the next encoding, so that one run cannot use up the budget of the others.
  for (const encoding of runEncodings)
    for (const { 0: letters, index } of runs)
      for (const { start, end, letters: decoded } of decodeStretches(letters, encoding, budget)) {
        readable.add(index);
        yield { start: index + start, end: index + end, letters: decoded };
      }
  // If the budget is used up, some runs may not have been searched.
  for (const { 0: letters, index } of budget.left > 0 ? runs : [])
    if (!readable.has(index) && letters.length <= longestWord && unreadable.size < mostWords)
      unreadable.add(letters);
  for (const encoding of numberEncodings) yield* decodeStretches(text, encoding, budget);
}

/** Runs that encode no text, such as header names. Most texts contain the same runs, so these runs are cached. */
const unreadable = new Set<string>();
const [longestWord, mostWords] = [64, 5_000];

function* decodeStretches(
  text: string,
  encoding: Encoding,
  budget: DecodingBudget,
): Generator<DecodedStretch> {
  for (const { 0: stretch, index } of text.matchAll(encoding.stretches)) {
    if (repetition.test(stretch)) continue;
    for (const letters of decodeAtAll(stretch, encoding, budget))
      yield { start: index, end: index + stretch.length, letters };
  }
}

/** Matches text of one repeated character, which encodes no key. Large bodies in the suites consist of such text. */
const repetition = /^(.)\1*$/;

/** Matches ten visible ASCII characters in a row. Keys consist of such characters. Other bytes rarely contain ten. */
const visible = /[\x21-\x7e]{10}/;

/** Yields the decoded and decompressed texts from each offset that have ten visible characters in a row. */
function* decodeAtAll(
  stretch: string,
  { group, decode }: Encoding,
  budget: DecodingBudget,
): Generator<string> {
  for (let offset = 0; offset < group && budget.left > 0; offset++) {
    const bytes = decode(stretch.slice(offset));
    for (const read of [bytes, decompress(bytes, budget)]) {
      // Without NUL, ASCII text in UTF-16 is found too.
      const letters = read.toString('latin1').replaceAll('\0', '');
      if (!visible.test(letters)) continue;
      budget.left -= letters.length;
      yield letters;
    }
  }
}

/** The base32 value of each character, by its code. A table is fast enough for the large bodies of reports. */
const base32Values = new Uint8Array(128);
for (const [value, letter] of [...'abcdefghijklmnopqrstuvwxyz234567'].entries()) {
  base32Values[letter.charCodeAt(0)] = value;
  base32Values[letter.toUpperCase().charCodeAt(0)] = value;
}

function decodeBase32(text: string): Buffer {
  const letters = text.replace(/=+$/, '');
  const bytes = Buffer.alloc(Math.floor((letters.length * 5) / 8));
  let [bits, count, length] = [0, 0, 0];
  for (let index = 0; index < letters.length; index++) {
    bits = ((bits << 5) | (base32Values[letters.charCodeAt(index)] ?? 0)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = (bits >> count) & 0xff;
  }
  return bytes;
}

/**
 * Decompresses gzip or zlib data, even if its end is missing. Returns an empty buffer for any other bytes, or if the
 * output would exceed the budget.
 */
function decompress(bytes: Buffer, budget: DecodingBudget): Buffer {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if ((!isGzip && bytes[0] !== 0x78) || budget.left <= 0) return none;
  const options = { maxOutputLength: budget.left, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    return isGzip ? gunzipSync(bytes, options) : inflateSync(bytes, options);
  } catch (error) {
    // The output exceeds the budget, so the budget counts as used up.
    if (error instanceof RangeError) budget.left = 0;
    return none;
  }
}

const none = Buffer.alloc(0);

/** A decoded text, with the position of each of its characters in the original text. */
export interface DecodedText {
  readonly letters: string;
  /** Returns the index in the original text at which the character, or its escape, begins. */
  readonly startOf: (index: number) => number;
  /** Returns the index in the original text after the character or its escape. */
  readonly endOf: (index: number) => number;
}

/** The maximum number of nested levels of escapes that are decoded. */
const depth = 3;

/**
 * Matches a hexadecimal, decimal or octal escape, a named entity, a full-width character, or escaped white space. A
 * run of backslashes matches only from its beginning, so that a long run takes linear time.
 */
const escapes =
  /(?:%|(?<!\\)\\+x)([0-9a-f]{2})|(?:(?<!\\)\\+|%)u([0-9a-f]{4})|(?<!\\)\\+u\{([0-9a-f]{1,12})\}|&#x([0-9a-f]{1,12});?|&#([0-9]{1,12});?|&(amp|lt|gt|quot|apos);|(?<!\\)\\+([0-3][0-7]{2})|([\uff01-\uff5e])|(?<!\\)\\+[nrtbf]/gi;

/** The offset from the code point of an ASCII character to that of its full-width form. */
const fullWidth = 0xfee0;

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Returns the text, then the text with the escapes that `escapes` matches decoded once, twice and three times. Stops
 * when a text has no more escapes.
 */
export function decodeEscapes(text: string): [DecodedText, ...DecodedText[]] {
  const readings: [DecodedText, ...DecodedText[]] = [
    { letters: text, startOf: (index) => index, endOf: (index) => index + 1 },
  ];
  let last = readings[0];
  while (readings.length <= depth && last.letters.search(escapes) >= 0) {
    last = decodeOnce(last);
    readings.push(last);
  }
  return readings;
}

function decodeOnce(reading: DecodedText): DecodedText {
  const { letters } = reading;
  const places = new Uint32Array(letters.length + 1);
  const pieces: string[] = [];
  let [length, end] = [0, 0];
  const copy = (to: number): void => {
    pieces.push(letters.slice(end, to));
    while (end < to) places[length++] = end++;
  };
  for (const found of letters.matchAll(escapes)) {
    copy(found.index);
    const letter = letterOf(found);
    pieces.push(letter);
    // A character outside the basic plane has two code units.
    for (let unit = 0; unit < letter.length; unit++) places[length++] = found.index;
    end = found.index + found[0].length;
  }
  copy(letters.length);
  places[length] = end;
  return {
    letters: pieces.join(''),
    startOf: (index) => reading.startOf(places[index] ?? 0),
    endOf: (index) => reading.endOf((places[index + 1] ?? 0) - 1),
  };
}

function letterOf(found: readonly (string | undefined)[]): string {
  const [, byte, unit, point, hexEntity, entity, name, octal, wide] = found;
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - fullWidth);
  const hex = byte ?? unit ?? point ?? hexEntity;
  if (hex === undefined && entity === undefined) return ' ';
  const code = hex === undefined ? Number(entity) : Number.parseInt(hex, 16);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}
