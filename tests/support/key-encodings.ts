import { gzipSync } from 'node:zlib';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * The encodings in which a gateway may return a key or a part of a key. `base64` and `base64url` return only the
 * characters that do not depend on the text around the key.
 */
export const encodings: Readonly<Record<string, (text: string) => readonly string[]>> = {
  plain: (text) => [text],
  reversed: (text) => [[...text].reverse().join('')],
  hexadecimal: (text) => [Buffer.from(text).toString('hex')],
  base64: (text) => base64(text, 'base64'),
  base64url: (text) => base64(text, 'base64url'),
  percent: (text) => [encodeURIComponent(text)],
  'percent twice': (text) => [encodeURIComponent(encodeURIComponent(text))],
  'percent, every byte': (text) => [eachCode(text, (code) => `%${hex(code, 2)}`)],
  JSON: (text) => [JSON.stringify(text).slice(1, -1)],
  'JSON, every letter': (text) => [eachCode(text, (code) => `\\u${hex(code, 4)}`)],
  'JSON in JSON, every letter': (text) => [eachCode(text, (code) => `\\\\u${hex(code, 4)}`)],
  'a script, every byte': (text) => [eachCode(text, (code) => `\\x${hex(code, 2)}`)],
  HTML: (text) => [text.replace(/[&<>"']/g, (letter) => entities[letter] ?? '')],
  'HTML, decimal': (text) => [eachCode(text, (code) => `&#${code};`)],
  'HTML, hexadecimal': (text) => [eachCode(text, (code) => `&#x${hex(code, 2)};`)],
  'HTML, decimal without semicolons': (text) => [eachCode(text, (code) => `&#${code}`)],
  'HTML, hexadecimal with zeros': (text) => [eachCode(text, (code) => `&#x${hex(code, 8)};`)],
  'percent, every letter': (text) => [eachCode(text, (code) => `%u${hex(code, 4)}`)],
  octal: (text) => [bytes(text, '', (byte) => `\\${byte.toString(8).padStart(3, '0')}`)],
  'full width': (text) => [
    text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  ],
  'list of bytes': (text) => [bytes(text, ',', String)],
  'list of bytes, Go': (text) => [bytes(text, ' ', String)],
  'list of bytes, hexadecimal': (text) => [bytes(text, ', ', (byte) => `0x${hex(byte, 2)}`)],
  binary: (text) => [bytes(text, ' ', (byte) => byte.toString(2).padStart(8, '0'))],
  base32: (text) => [base32(text)],
  'base64 of base64': (text) => [encodeAs(encodeAs(text, 'base64'), 'base64')],
  'base64 of hexadecimal': (text) => [encodeAs(encodeAs(text, 'hex'), 'base64')],
  'hexadecimal of base64': (text) => [encodeAs(encodeAs(text, 'base64'), 'hex')],
  'UTF-16 in hexadecimal': (text) => [Buffer.from(text, 'utf16le').toString('hex')],
  'UTF-16 in base64': (text) => [Buffer.from(text, 'utf16le').toString('base64')],
  'base64 of gzip': (text) => [gzipSync(text).toString('base64')],
  'HTML within percent': (text) => [encodeURIComponent(eachCode(text, (code) => `&#${code};`))],
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

function encodeAs(text: string, encoding: BufferEncoding): string {
  return Buffer.from(text).toString(encoding);
}

function base32(text: string): string {
  const bits = bytes(text, '', (byte) => byte.toString(2).padStart(8, '0'));
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups
    .map((group) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('');
}

function hex(code: number, length: number): string {
  return code.toString(16).padStart(length, '0');
}
