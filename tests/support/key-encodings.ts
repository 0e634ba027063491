const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * The forms of a key that SECURITY.md lists. `base64` and `base64url` return only the
 * characters that do not depend on the text around the key.
 */
export const encodings: Readonly<Record<string, (text: string) => readonly string[]>> = {
  plain: (text) => [text],
  'other case': (text) => [text.toUpperCase()],
  percent: (text) => [encodeURIComponent(text)],
  'percent twice': (text) => [encodeURIComponent(encodeURIComponent(text))],
  'percent, every byte': (text) => [eachCode(text, (code) => `%${hex(code, 2)}`)],
  JSON: (text) => [JSON.stringify(text).slice(1, -1)],
  'JSON, every letter': (text) => [eachCode(text, (code) => `\\u${hex(code, 4)}`)],
  'JSON in JSON': (text) => [JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
  'JSON in JSON, every letter': (text) => [eachCode(text, (code) => `\\\\u${hex(code, 4)}`)],
  HTML: (text) => [text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')],
  'HTML, decimal': (text) => [eachCode(text, (code) => `&#${code};`)],
  'HTML, hexadecimal': (text) => [eachCode(text, (code) => `&#x${hex(code, 2)};`)],
  'HTML within percent': (text) => [encodeURIComponent(eachCode(text, (code) => `&#${code};`))],
  base64: (text) => base64(text, 'base64'),
  base64url: (text) => base64(text, 'base64url'),
  hexadecimal: (text) => [Buffer.from(text).toString('hex')],
  'list of bytes': (text) => [bytes(text, ',', String)],
  'list of bytes, indented': (text) => [bytes(text, ',\n      ', String)],
  'list of bytes, Go': (text) => [bytes(text, ' ', String)],
  'list of bytes, 0x': (text) => [bytes(text, ', ', (byte) => `0x${hex(byte, 2)}`)],
  'list of bytes, Node.js': (text) => [bytes(text, ' ', (byte) => hex(byte, 2))],
  'list of bytes, colons': (text) => [bytes(text, ':', (byte) => hex(byte, 2).toUpperCase())],
};

/** Returns every part of `text` with `length` characters. */
export function windowsOf(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, start) =>
    text.slice(start, start + length),
  );
}

/**
 * Finds these parts of keys in a text, in any encoding and letter case. Returns the encoding of each part, and
 * the encoded part.
 */
export function findEncodedKeys(text: string, stretches: readonly string[]): string[] {
  const given = text.toLowerCase();
  return Object.entries(encodings).flatMap(([name, encode]) =>
    stretches
      .flatMap(encode)
      .filter((form) => given.includes(form.toLowerCase()))
      .map((form) => `${name}: ${form}`),
  );
}

function base64(text: string, encoding: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map((offset) => {
    const letters = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)])
      .toString(encoding)
      .replace(/=+$/, '');
    return letters.slice(
      Math.ceil((offset * 8) / 6),
      Math.floor(((offset + Buffer.byteLength(text)) * 8) / 6),
    );
  });
}

function eachCode(text: string, write: (code: number) => string): string {
  return text
    .split('')
    .map((letter) => write(letter.charCodeAt(0)))
    .join('');
}

function bytes(text: string, between: string, write: (byte: number) => string): string {
  return [...Buffer.from(text)].map(write).join(between);
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}
