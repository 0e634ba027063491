import { createFindSecrets, type FindSecrets, type FoundSecret } from './find-secrets.ts';

/**
 * Replaces each secret in a text with a placeholder such as `{{keys.valid}}`. Escapes text that looks like a
 * placeholder. If only the first `shown` characters of the text are shown, only these are redacted and returned; a
 * secret that begins among them is replaced as a whole.
 */
export type Redact = (text: string, shown?: number) => string;

/**
 * The number of characters that are searched after those that are shown. `leastPart` characters of a key are shorter
 * in every form that SECURITY.md lists, so that no key at the end of the shown text is missed.
 */
const margin = 2_048;

/** Creates a redaction. `secrets` maps each secret to its role. `createFindSecrets` states what is found. */
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  return createRedactWith([createFindSecrets(secrets)]);
}

/** Creates a redaction with several searches. On a tie, the first search wins. */
export function createRedactWith(searches: readonly FindSecrets[]): Redact {
  return (text, shown = text.length) => {
    const searched = text.length > shown + margin ? text.slice(0, shown + margin) : text;
    return replace(
      searched,
      searches.flatMap((find) => find(searched)),
      shown,
    );
  };
}

/**
 * Returns a redaction for texts that were already redacted in part or with fewer secrets. The placeholders in these
 * texts are kept unless their role contains a secret.
 */
export function redactRest(redact: Redact): Redact {
  // Text that looks like a placeholder may contain a secret.
  return (text, shown) => mapText(text, redact, { keeps: (role) => redact(role) === role, shown });
}

/** Creates a redaction that also finds secrets that are added to the map later. */
export function createLiveRedact(secrets: ReadonlyMap<string, string>): Redact {
  let known = -1;
  let redact: Redact = escapeText;
  return (text, shown) => {
    if (secrets.size !== known) {
      known = secrets.size;
      redact = createRedact(secrets);
    }
    return redact(text, shown);
  };
}

/** Returns a copy of a JSON value in which every text and every member name is redacted. */
export function redactAll<T>(value: T, redact: Redact): T;
export function redactAll(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redactAll(item, redact)]),
  );
}

/** Replaces each secret that begins before `shown`, and returns the text up to there. Joins secrets that overlap. */
function replace(text: string, found: readonly FoundSecret[], shown: number): string {
  const pieces: string[] = [];
  let done = 0;
  const put = ({ start, end, role, isWhole }: FoundSecret): void => {
    pieces.push(escapeText(text.slice(done, start)), placeholderOf(isWhole ? role : `${role}:part`));
    done = end;
  };
  let open: FoundSecret | undefined;
  for (const secret of [...found].sort((a, b) => a.start - b.start)) {
    if (secret.start >= shown) break;
    if (open && secret.start < open.end) open = join(open, secret);
    else {
      if (open) put(open);
      open = secret;
    }
  }
  if (open) put(open);
  return pieces.join('') + escapeText(text.slice(done, Math.max(done, shown)));
}

/** Joins two secrets that overlap to one with the role of the longer. It is whole only if it contains the other. */
function join(one: FoundSecret, other: FoundSecret): FoundSecret {
  const [start, end] = [one.start, Math.max(one.end, other.end)];
  const [size, otherSize] = [one.end - one.start, other.end - other.start];
  const longer = otherSize > size || (otherSize === size && other.isWhole && !one.isWhole) ? other : one;
  return {
    start,
    end,
    role: longer.role,
    isWhole: longer.isWhole && longer.end - longer.start === end - start,
  };
}

/**
 * Redacted text consists of original text and placeholders. A placeholder such as `{{keys.valid}}` replaces a secret.
 * The placeholder `{{braces}}` replaces `{{` in text that looks like a placeholder, so that no text of a gateway, a
 * client or a recording can imitate a placeholder.
 */

/** A piece of a redacted text: original text, or the role of a redacted secret. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'secret'; readonly role: string };

/**
 * Matches the role of a secret: its environment variable, or the name of a key such as `keys.valid`, followed, for a
 * derived key, by the change: `keys.valid:truncated`. The suffix `:part` stands for a part of a secret. `setup.id`
 * stands for a value of the key that the run created.
 */
const role =
  'setup\\.\\w{1,60}|env\\.[A-Za-z_][A-Za-z0-9_]{0,60}(?::part)?|keys\\.(?:valid|deleted|depleted|foreign|created|client|other-target)(?::[a-z][a-zA-Z0-9-]{0,40})?(?::part)?';
const placeholders = new RegExp(`\\{\\{(${role}|braces)\\}\\}`);
const braces = '{{braces}}';

export function placeholderOf(role: string): string {
  return `{{${role}}}`;
}

/** Escapes text that looks like a placeholder, so that the text is not read as a placeholder. */
export function escapeText(text: string): string {
  return text.includes('{{') ? text.replace(/\{\{(?=keys\.|env\.|setup\.|braces\}\})/g, braces) : text;
}

/** Splits a redacted text into pieces. Restores text that `escapeText` escaped. */
export function readPieces(redacted: string): Piece[] {
  if (redacted !== '' && !redacted.includes('{{')) return [{ kind: 'text', text: redacted }];
  const pieces: Piece[] = [];
  let text = '';
  for (const [index, part] of redacted.split(placeholders).entries()) {
    if (index % 2 === 0) text += part;
    else if (part === 'braces') text += '{{';
    else {
      if (text !== '') pieces.push({ kind: 'text', text });
      pieces.push({ kind: 'secret', role: part });
      text = '';
    }
  }
  return text === '' ? pieces : [...pieces, { kind: 'text', text }];
}

/**
 * Returns a redacted text with `change` applied to the text between placeholders, and to the placeholders for which
 * `keeps` returns false. Default: all placeholders are kept. If only the first `shown` characters are shown, the rest
 * is omitted.
 */
export function mapText(
  redacted: string,
  change: Redact,
  {
    keeps = () => true,
    shown = redacted.length,
  }: { readonly keeps?: (role: string) => boolean; readonly shown?: number | undefined } = {},
): string {
  if (!redacted.includes('{{')) return change(redacted, shown);
  const pieces: string[] = [];
  let left = shown;
  for (const [index, part] of redacted.split(placeholders).entries()) {
    const text = index % 2 === 0 ? part : placeholderOf(part);
    if (left <= 0) break;
    pieces.push(index % 2 === 1 && keeps(part) ? text : change(text, left));
    left -= text.length;
  }
  return pieces.join('');
}
