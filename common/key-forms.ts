export interface DecodedText {
  readonly text: string;
  /** Returns the index in the original text at which a character, or its escape, begins. */
  readonly startOf: (index: number) => number;
  /** Returns the index in the original text after the last character before `end`, or after its escape. */
  readonly endOf: (end: number) => number;
}

/** The number of nested levels of escapes that are decoded, such as HTML within JSON within a URL. */
const depth = 3;

/** Matches the escapes of URLs, JSON and HTML. */
const escapes =
  /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/])|([bfnrt]))|&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|(amp|lt|gt|quot|apos));/gi;
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Decodes the escapes of URLs, JSON and HTML, also one inside the other. Takes linear time. */
export function decodeEscapes(given: string): DecodedText {
  const same = (index: number): number => index;
  let decoded: DecodedText = { text: given, startOf: same, endOf: same };
  for (let level = 0; level < depth; level++) {
    const next = decodeOnce(decoded);
    if (!next) break;
    decoded = next;
  }
  return decoded;
}

function decodeOnce({ text, startOf }: DecodedText): DecodedText | undefined {
  if (!/[%\\&]/.test(text)) return undefined;
  const places = new Uint32Array(text.length + 1);
  const pieces: string[] = [];
  let [length, done] = [0, 0];
  for (const found of text.matchAll(escapes)) {
    const character = characterOf(found);
    pieces.push(text.slice(done, found.index), character);
    while (done < found.index) places[length++] = done++;
    // A character outside the basic plane has two code units.
    for (let unit = 0; unit < character.length; unit++) places[length++] = found.index;
    done = found.index + found[0].length;
  }
  if (pieces.length === 0) return undefined;
  pieces.push(text.slice(done));
  while (done <= text.length) places[length++] = done++;
  const placeOf = (index: number): number => startOf(places[index] ?? text.length);
  return { text: pieces.join(''), startOf: placeOf, endOf: placeOf };
}

function characterOf(found: readonly (string | undefined)[]): string {
  const [, byte, unit, plain, control, hex, decimal, name] = found;
  if (plain !== undefined) return plain;
  if (control !== undefined) return ' ';
  if (name !== undefined) return named[name.toLowerCase()] ?? '';
  const code = decimal === undefined ? Number.parseInt(byte ?? unit ?? hex ?? '', 16) : Number(decimal);
  return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

/** The form in which a key may appear in a text whose escapes are decoded. */
export interface KeyForm {
  readonly text: string;
  /** Returns the number of characters that some bytes of the key have at least in this form. */
  readonly lengthOf: (bytes: number) => number;
  /** The length of the words at its beginning, such as `sk-proj-`, which identify no key; 0 if it is encoded. */
  readonly words: number;
}

/** A text of fewer characters, such as the name of a host, could be part of any text. */
const shortest = 8;

/**
 * Returns the forms of a key: plain, base64 and base64url at each alignment, and hexadecimal. SECURITY.md lists them
 * together with escapes, which `decodeEscapes` decodes, and lists of bytes.
 */
export function formsOfKey(key: string): KeyForm[] {
  const bytes = Buffer.from(key);
  const encoded: KeyForm[] = [
    { text: bytes.toString('hex'), lengthOf: (count) => 2 * count, words: 0 },
    ...base64Forms(bytes).map((text) => ({
      text,
      lengthOf: (count: number) => Math.floor((8 * count - 4) / 6),
      words: 0,
    })),
  ];
  // `decodeEscapes` turns the escape of each byte of a letter beyond ASCII, such as `%C3%BC`, into a character.
  const plain = new Set([decodeEscapes(key).text, bytes.toString('latin1')]);
  return [
    ...[...plain].map((text) => ({
      text,
      lengthOf: (count: number) => count,
      words: /^(?:[a-z]+[-_])*/i.exec(text)?.[0].length ?? 0,
    })),
    ...encoded.filter(({ text }) => text.length >= shortest),
  ];
}

/** Returns the characters that the bytes determine at each alignment, whatever precedes and follows them. */
function base64Forms(bytes: Buffer): string[] {
  const forms = [0, 1, 2].flatMap((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const sure = whole.slice(Math.ceil((8 * offset) / 6), Math.floor((8 * (offset + bytes.length)) / 6));
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set(forms)];
}

/** Converts a text to lower case without changing its length. */
export function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether a text contains the whole key, of at least eight characters, in one of its forms. */
export function containsKey(text: string, key: string): boolean {
  const given = toLowerCase(decodeEscapes(text).text);
  return key.length >= shortest && formsOfKey(key).some((form) => given.includes(toLowerCase(form.text)));
}
