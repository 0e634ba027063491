/** A text form in which a secret may appear, such as its base64 encoding. */
export interface SecretForm {
  /** The secret in this form. */
  readonly text: string;
  /** The name of the secret in placeholders, such as `keys.valid`. */
  readonly role: string;
  /** The minimum length of a part of the form that is redacted. The whole form is always redacted. */
  readonly least: number;
  /** The length of the beginning that consists of plain words, such as `sk-proj-`. */
  readonly words: number;
}

/** The minimum length of a form. Redacting shorter texts would make a report unreadable. */
const shortest = 4;

/** The minimum length of a redacted part of a key. A part of this length may be useful to an attacker. */
const leastOfKey = 10;

/**
 * Returns the forms of a secret to search for. The forms are the unchanged and the reversed secret, the secret with
 * JSON or HTML escapes, its UTF-8 bytes as Latin-1 text, and its hexadecimal, base64 and base64url encodings. Base64
 * and base64url have a form for each of the three alignments. Forms of fewer than four characters, and base64 forms
 * of fewer than eight characters, are omitted.
 */
export function formsOf(secret: string, role: string): SecretForm[] {
  const bytes = Buffer.from(secret);
  // Only keys are redacted in part. Another secret, such as the name of a tenant, may share words with any text.
  const least = role.startsWith('keys.') ? leastOfKey : Math.max(leastOfKey, secret.length);
  const form = (text: string, own: number, words = 0): SecretForm => ({ text, role, least: own, words });
  return [
    form(secret, least, wordsOf(secret)),
    form([...secret].reverse().join(''), least),
    // A key may contain characters that look like an escape.
    form(JSON.stringify(secret).slice(1, -1), least),
    form(escapeHtml(secret), least),
    // Escapes such as `%C3%BC` stand for the bytes of a letter.
    form(bytes.toString('latin1'), least),
    form(bytes.toString('hex'), 2 * least),
    // The minimum length is the number of characters that `least` bytes determine at the worst alignment.
    ...base64Forms(bytes).map((text) => form(text, Math.floor((8 * least - 4) / 6))),
  ].filter(({ text }) => text.length >= shortest);
}

function wordsOf(secret: string): number {
  return /^(?:[a-z]+[-_])*/i.exec(secret)?.[0].length ?? 0;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

/**
 * Returns the base64 and base64url characters that the bytes determine at each alignment, whatever precedes and
 * follows the bytes. Omits alignments with fewer than eight such characters.
 */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const letters = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset + 1;
    const end = (offset + bytes.length) % 3 === 0 ? letters.length : letters.length - 1;
    const sure = letters.slice(start, end);
    return sure.length < 8 ? [] : [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
