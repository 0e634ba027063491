import { budgetFor, type DecodedText, type DecodingBudget, decodeEscapes, decodingsOf } from './decodings.ts';
import { formsOf, type SecretForm } from './forms.ts';
import { createFindStretches, type FindStretches, type Stretch } from './stretches.ts';

/**
 * Replaces each secret in a text with a placeholder such as `{{keys.valid}}`. Escapes text that looks like a
 * placeholder.
 */
export type Redact = (text: string) => string;

/** A search for secrets. Several redactions can use one search, which prepares its tables only once. */
export interface SecretSearch {
  readonly find: FindStretches;
}

/** Creates a search; undefined if no secret is long enough. `secrets` maps each secret to its role. */
export function createSecretSearch(secrets: ReadonlyMap<string, string>): SecretSearch | undefined {
  const forms = uniqueForms([...secrets].flatMap(([secret, role]) => formsOf(secret, role)));
  if (forms.length === 0) return undefined;
  return { find: createFindStretches(forms) };
}

/**
 * Creates a redaction. `secrets` maps each secret to its role. The redaction finds whole secrets, and parts of keys
 * of at least ten characters, in upper or lower case. The redaction also finds secrets that are reversed, or that are
 * compressed with gzip or zlib. The known encodings are percent, JSON and
 * HTML escapes (also nested), hexadecimal, base32, base64, base64url, lists of numbers, and binary digits. The text
 * of a secret of fewer than four characters is not redacted.
 */
export function createRedact(secrets: ReadonlyMap<string, string>): Redact {
  return createRedactWith([createSecretSearch(secrets)]);
}

/** Creates a redaction for the secrets of all searches. Of equal matches, the match of the first search counts. */
export function createRedactWith(given: readonly (SecretSearch | undefined)[]): Redact {
  const searches = given.filter((search) => search !== undefined);
  if (searches.length === 0) return escapeText;
  const find: FindStretches = (text) => searches.flatMap((search) => search.find(text));
  const spansIn = (text: string, depth: number, budget: DecodingBudget): Span[] => {
    const readings = decodeEscapes(text);
    const last = readings.at(-1) ?? readings[0];
    return [
      ...readings.flatMap((reading) => findSpans(reading, find)),
      ...(depth === 0
        ? []
        : findEncodedSpans(last, budget, (letters) => spansIn(letters, depth - 1, budget))),
    ];
  };
  const redact = (text: string): string => replace(text, spansIn(text, encodingDepth, budgetFor(text)));
  return cacheResults(redact);
}

/**
 * Returns a redaction for texts that were already redacted in part or with fewer secrets. The placeholders in these
 * texts are kept unless their role contains a secret.
 */
export function redactRest(redact: Redact): Redact {
  // Text that looks like a placeholder may contain a secret.
  return (text) => mapText(text, redact, (role) => redact(role) === role);
}

/** Creates a redaction that also finds secrets that are added to the map later. */
export function createLiveRedact(secrets: ReadonlyMap<string, string>): Redact {
  let known = -1;
  let redact: Redact = escapeText;
  return (text) => {
    if (secrets.size !== known) {
      known = secrets.size;
      redact = createRedact(secrets);
    }
    return redact(text);
  };
}

const encodingDepth = 2;

/**
 * The limits of the cache: the length of a text in characters, and the number of texts. Most headers repeat in every
 * exchange.
 */
const cacheLimits = { letters: 200, texts: 5_000 };

function cacheResults(redact: Redact): Redact {
  const done = new Map<string, string>();
  return (text) => {
    if (text.length > cacheLimits.letters) return redact(text);
    const known = done.get(text);
    if (known !== undefined) return known;
    const redacted = redact(text);
    if (done.size < cacheLimits.texts) done.set(text, redacted);
    return redacted;
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

function uniqueForms(forms: readonly SecretForm[]): SecretForm[] {
  const first = new Map<string, SecretForm>();
  for (const form of forms) if (!first.has(form.text)) first.set(form.text, form);
  return [...first.values()];
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly stretch: Stretch;
}

function findSpans({ letters, startOf, endOf }: DecodedText, find: FindStretches): Span[] {
  return find(letters).map((stretch) => ({
    start: startOf(stretch.start),
    end: endOf(stretch.end - 1),
    stretch,
  }));
}

function findEncodedSpans(
  { letters, startOf, endOf }: DecodedText,
  budget: DecodingBudget,
  spansIn: (letters: string) => Span[],
): Span[] {
  const found: Span[] = [];
  for (const { start, end, letters: decoded } of decodingsOf(letters, budget)) {
    const [first, ...rest] = spansIn(decoded).map(({ stretch }) => stretch);
    if (!first) continue;
    const stretch = rest.reduce((most, other) => (isBetterMatch(other, most) ? other : most), first);
    found.push({ start: startOf(start), end: endOf(end - 1), stretch });
  }
  return found;
}

/** Replaces each span with a placeholder. Overlapping spans get one placeholder, with the role of the best match. */
function replace(text: string, found: readonly Span[]): string {
  if (found.length === 0) return escapeText(text);
  const pieces: string[] = [];
  let done = 0;
  const put = ({ start, end }: Pick<Span, 'start' | 'end'>, { form, whole }: Stretch): void => {
    pieces.push(escapeText(text.slice(done, start)), placeholderOf(whole ? form.role : `${form.role}:part`));
    done = end;
  };
  let open: Span | undefined;
  for (const span of [...found].sort((a, b) => a.start - b.start)) {
    if (open && span.start < open.end) {
      const stretch = isBetterMatch(span.stretch, open.stretch) ? span.stretch : open.stretch;
      open = { start: open.start, end: Math.max(open.end, span.end), stretch };
    } else {
      if (open) put(open, open.stretch);
      open = span;
    }
  }
  if (open) put(open, open.stretch);
  return pieces.join('') + escapeText(text.slice(done));
}

/**
 * Whether `one` is a better match than `other`: a whole form, then the longer match, then the match in the exact
 * case.
 */
function isBetterMatch(one: Stretch, other: Stretch): boolean {
  if (one.whole !== other.whole) return one.whole;
  const longer = one.end - one.start - (other.end - other.start);
  return longer === 0 ? one.exact && !other.exact : longer > 0;
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
  'setup\\.\\w{1,60}|env\\.[A-Za-z_][A-Za-z0-9_]{0,60}(?::part)?|keys\\.(?:valid|deleted|depleted|foreign|created|client|other-target)(?::(?:unknown|truncated|extended|suffixed|altered|altered-start|altered-end|shortened|swapped|other-prefix|other-case|prefix-less|jwt|other-vendor|long|(?:insert|replace|delete|swap|flip)(?:-[a-zA-Z0-9])?-[0-9]{1,5}))?(?::part)?';
const placeholders = new RegExp(`\\{\\{(${role}|braces)\\}\\}`);
const braces = '{{braces}}';

/** Returns the placeholder of a secret with the role. */
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
 * `keeps` returns false. Default: all placeholders are kept.
 */
export function mapText(
  redacted: string,
  change: (text: string) => string,
  keeps: (role: string) => boolean = () => true,
): string {
  if (!redacted.includes('{{')) return change(redacted);
  return redacted
    .split(placeholders)
    .map((part, index) => {
      if (index % 2 === 0) return change(part);
      return keeps(part) ? placeholderOf(part) : change(placeholderOf(part));
    })
    .join('');
}
