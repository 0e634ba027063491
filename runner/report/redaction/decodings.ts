import { gunzipSync, inflateSync } from 'node:zlib';

/** A stretch of a text that is an encoding of bytes, and these bytes, each as the letter of its number. */
export interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly letters: string;
}

/** A way to write bytes, whose shortest text is that of ten bytes. */
interface Encoding {
  readonly stretches: RegExp;
  /** So many letters are whole bytes; letters of other text may stand before them. */
  readonly group: number;
  readonly decode: (text: string) => Buffer | undefined;
}

const encodings: readonly Encoding[] = [
  { stretches: /[a-z0-9+/]{14,}={0,2}/gi, group: 4, decode: (text) => Buffer.from(text, 'base64') },
  { stretches: /[a-z0-9_-]{14,}={0,2}/gi, group: 4, decode: (text) => Buffer.from(text, 'base64url') },
  { stretches: /[a-z2-7]{16,}={0,6}/gi, group: 8, decode: base32 },
  { stretches: /(?:[0-9a-f]{2}){10,}/gi, group: 2, decode: (text) => Buffer.from(text, 'hex') },
  // JSON, `{"type":"Buffer","data":[…]}` of Node, `[115 107]` of Go, and `0x73, 0x6b`.
  {
    stretches: /(?<![\w.])(?:0x[0-9a-f]{1,2}|[0-9]{1,3})(?:[\s,;]{1,8}(?:0x[0-9a-f]{1,2}|[0-9]{1,3})){9,}/gi,
    group: 1,
    decode: numbers,
  },
  // Of Python and of Ruby.
  { stretches: /(?<![\w.])[01]{8}(?:[\s,;]{0,8}[01]{8}){9,}/g, group: 1, decode: binary },
];

/** What a compressed text can be of, at most, to be looked through. */
const mostInflated = 64 * 1024;

/** Every stretch of a text that may be an encoding of ten bytes or more, with what these are once they are inflated, too. */
export function decodingsOf(text: string): Decoded[] {
  return encodings.flatMap((encoding) =>
    [...text.matchAll(encoding.stretches)].flatMap((found) => {
      const [start, end] = [found.index, found.index + found[0].length];
      return decodeAtAll(found[0], encoding).map((letters) => ({ start, end, letters }));
    }),
  );
}

/** Keys are of visible letters of ASCII, which bytes of anything else seldom have ten of in a row. */
const visible = /[\x21-\x7e]{10}/;

/** What a stretch is an encoding of, at each of the places where it can begin. */
function decodeAtAll(stretch: string, { group, decode }: Encoding): string[] {
  const all = Array.from({ length: group }, (_, offset) => decode(stretch.slice(offset)));
  return all
    .flatMap((bytes) => (bytes ? [bytes, ...inflated(bytes)] : []))
    .map(readLetters)
    .filter((letters) => visible.test(letters));
}

/** UTF-16 has a NUL beside each letter. */
function readLetters(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll('\0', '');
}

function numbers(text: string): Buffer | undefined {
  const all = text.split(/[\s,;]+/).map(Number);
  return all.every((byte) => byte < 256) ? Buffer.from(all) : undefined;
}

function binary(text: string): Buffer {
  return Buffer.from(
    (text.replace(/[^01]+/g, '').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)),
  );
}

const base32Letters = 'abcdefghijklmnopqrstuvwxyz234567';

function base32(text: string): Buffer {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (const letter of text.toLowerCase().replace(/=+$/, '')) {
    bits = ((bits << 5) | base32Letters.indexOf(letter)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Buffer.from(bytes);
}

/** What compressed bytes are of; nothing where they aren't, or are of too much. */
function inflated(bytes: Buffer): Buffer[] {
  const inflate =
    bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync : bytes[0] === 0x78 ? inflateSync : undefined;
  if (!inflate) return [];
  try {
    return [inflate(bytes, { maxOutputLength: mostInflated })];
  } catch {
    return [];
  }
}
