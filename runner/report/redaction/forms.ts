/** A text in which a secret can come back. */
export interface Form {
  readonly text: string;
  readonly role: string;
  /** A stretch of so many letters tells of the secret. */
  readonly least: number;
  /** How many letters at its beginning are words that makers of keys put there, such as `sk-proj-`. */
  readonly words: number;
}

/** Shorter texts are no keys: putting roles in their place would make a report unreadable and hide nothing. */
const shortest = 4;

/** A stretch of a secret with so many letters is of use to somebody. */
const leastOfKey = 10;

/**
 * What a secret is written in where it is not written letter by letter: itself, from behind, hexadecimal, and base64 at
 * each of its three alignments.
 */
export function formsOf(secret: string, role: string): Form[] {
  const bytes = Buffer.from(secret);
  // What isn't a key, such as the name of a tenant, may share words with any text, and is only looked for as a whole.
  const least = role.startsWith('keys.') ? leastOfKey : Math.max(leastOfKey, secret.length);
  const form = (text: string, own: number, words = 0): Form => ({ text, role, least: own, words });
  return [
    form(secret, least, wordsOf(secret)),
    form([...secret].reverse().join(''), least),
    // A key may have letters in it that would be read as an escape, so these are known as they are written too.
    form(JSON.stringify(secret).slice(1, -1), least),
    form(escapeHtml(secret), least),
    // Escapes such as `%C3%BC` stand for the bytes of a letter.
    form(bytes.toString('latin1'), least),
    form(bytes.toString('hex'), 2 * least),
    // Of so many bytes, so many letters are sure at the worst alignment.
    ...base64Forms(bytes).map((text) => form(text, Math.floor((8 * least - 4) / 6))),
  ].filter(({ text }) => text.length >= shortest);
}

/** The forms as they are once nothing but letters and digits is left of them. */
export function bareForms(forms: readonly Form[]): Form[] {
  return forms
    .map((form) => ({
      ...form,
      text: bare(form.text),
      words: bare(form.text.slice(0, form.words)).length,
    }))
    .filter(({ text }) => text.length >= leastOfKey);
}

function bare(text: string): string {
  return text.replace(/[^a-z0-9]/gi, '');
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

/** The base64 letters that a run of bytes surely has, whatever stands before and behind it. */
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
