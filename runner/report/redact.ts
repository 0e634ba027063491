/** Puts a role, such as `{{keys.valid}}`, in the place of every secret in a text. */
export type Redact = (text: string) => string;

/** Shorter texts are no keys: putting roles in their place would make a report unreadable and hide nothing. */
const shortest = 4;

/**
 * Makes the redaction of a run: finds each secret by its value, in any case, plain and in every encoding in which it
 * can come back: percent, once or twice, JSON, HTML, hexadecimal, reversed, and base64 at each of its three alignments;
 * and whatever stretch of it is long enough to be of use.
 */
export function makeRedact(secrets: ReadonlyMap<string, string>): Redact {
  const roles = new Map<string, string>();
  const learn = (form: string, role: string): void => {
    if (form.length >= shortest && !roles.has(form)) roles.set(form, `{{${role}}}`);
  };
  for (const [secret, role] of secrets) for (const form of encodings(secret)) learn(form, role);
  for (const [secret, role] of secrets) for (const part of parts(secret)) learn(part, `${role}:part`);
  if (roles.size === 0) return (text) => text;
  // A key in another case is a key too, unless it is one that has a role of its own.
  const inAnyCase = new Map([...roles].reverse().map(([form, role]) => [form.toLowerCase(), role]));
  const forms = [...roles.keys()].sort((a, b) => b.length - a.length);
  const source = forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|');
  const pattern = new RegExp(source, 'gi');
  return (text) =>
    text.replace(pattern, (form) => roles.get(form) ?? inAnyCase.get(form.toLowerCase()) ?? '{{key}}');
}

/** Redacts every text in a value of JSON kinds, member names too. */
export function redactAll<T>(value: T, redact: Redact): T;
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redactAll(item, redact)]),
  );
}

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const everyByte = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [
    secret,
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    [...secret].reverse().join(''),
    everyByte,
    JSON.stringify(secret).slice(1, -1),
    escapeHtml(secret),
    [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    bytes.toString('hex'),
    ...base64Forms(bytes),
  ];
}

/** Every stretch of a secret that is long enough to be of use to somebody. */
function parts(secret: string): string[] {
  const length = 12;
  return Array.from({ length: Math.max(0, secret.length - length) }, (_, start) =>
    secret.slice(start, start + length),
  );
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
