import { type Budget, bareReading, budgetFor, decodingsOf, type Reading, readingsOf } from './decodings.ts';
import { bareForms, type Form, formsOf } from './forms.ts';
import { escapeText, mapText, placeholderOf } from './placeholders.ts';
import { type Find, makeFind, type Stretch } from './stretches.ts';

/**
 * Puts a placeholder, such as `{{keys.valid}}`, in the place of every secret in a text; what looks like a placeholder in
 * the text is escaped.
 */
export type Redact = (text: string) => string;

/**
 * Makes the redaction of a run: finds each secret by its value, and every stretch of it that is long enough to be of use,
 * in any case and in every encoding in which it can come back: with percent, JSON and HTML escapes in any mix and within
 * each other, hexadecimal, reversed, in base64 at any alignment, and with anything between its letters.
 */
export function makeRedact(secrets: ReadonlyMap<string, string>): Redact {
  const forms = once([...secrets].flatMap(([secret, role]) => formsOf(secret, role)));
  if (forms.length === 0) return escapeText;
  const [find, findBare] = [makeFind(forms), makeFind(once(bareForms(forms)))];
  /** Where secrets are in a text, down to so many encodings within each other. */
  const spansIn = (text: string, depth: number, budget: Budget): Span[] => {
    const readings = readingsOf(text);
    const last = readings.at(-1) ?? readings[0];
    return [
      ...readings.flatMap((reading) => spans(reading, find)),
      ...spans(bareReading(last), findBare),
      ...(depth === 0 ? [] : encodedSpans(last, budget, (letters) => spansIn(letters, depth - 1, budget))),
    ];
  };
  const redact = (text: string): string => replace(text, spansIn(text, encodingDepth, budgetFor(text)));
  return onceEach(redact);
}

/** Redacts a text that was redacted already, in part or by fewer secrets: its placeholders stay. */
export function redactRest(redact: Redact): Redact {
  // Nor may a secret stand inside of what looks like a placeholder.
  return (text) => mapText(text, redact, (role) => redact(role) === role);
}

/** A redaction that also finds the secrets that came to be known since it was made. */
export function makeLiveRedact(secrets: ReadonlyMap<string, string>): Redact {
  let known = -1;
  let redact: Redact = escapeText;
  return (text) => {
    if (secrets.size !== known) {
      known = secrets.size;
      redact = makeRedact(secrets);
    }
    return redact(text);
  };
}

/** How many encodings within each other are undone. */
const encodingDepth = 2;

/** Texts up to so many letters, and so many of them, are looked at once: most headers come again in every exchange. */
const remembered = { letters: 200, texts: 5_000 };

function onceEach(redact: Redact): Redact {
  const done = new Map<string, string>();
  return (text) => {
    if (text.length > remembered.letters) return redact(text);
    const known = done.get(text);
    if (known !== undefined) return known;
    const redacted = redact(text);
    if (done.size < remembered.texts) done.set(text, redacted);
    return redacted;
  };
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

/** The first of those forms that have the same text. */
function once(forms: readonly Form[]): Form[] {
  const first = new Map<string, Form>();
  for (const form of forms) if (!first.has(form.text)) first.set(form.text, form);
  return [...first.values()];
}

/** What is to be replaced in a text, for a stretch that was found there. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly stretch: Stretch;
}

function spans({ letters, startOf, endOf }: Reading, find: Find): Span[] {
  return find(letters).map((stretch) => ({
    start: startOf(stretch.start),
    end: endOf(stretch.end - 1),
    stretch,
  }));
}

/** The encodings of bytes in which secrets are, each with the stretch that tells most of them. */
function encodedSpans(
  { letters, startOf, endOf }: Reading,
  budget: Budget,
  spansIn: (letters: string) => Span[],
): Span[] {
  const found: Span[] = [];
  for (const { start, end, letters: decoded } of decodingsOf(letters, budget)) {
    const [first, ...rest] = spansIn(decoded).map(({ stretch }) => stretch);
    if (!first) continue;
    const stretch = rest.reduce((most, other) => (tells(other, most) ? other : most), first);
    found.push({ start: startOf(start), end: endOf(end - 1), stretch });
  }
  return found;
}

/** One role for all spans that lie over each other: the one that tells most of them. */
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
      const stretch = tells(span.stretch, open.stretch) ? span.stretch : open.stretch;
      open = { start: open.start, end: Math.max(open.end, span.end), stretch };
    } else {
      if (open) put(open, open.stretch);
      open = span;
    }
  }
  if (open) put(open, open.stretch);
  return pieces.join('') + escapeText(text.slice(done));
}

/** Whether one stretch tells more than another: a whole secret more than a part, then the longer, then the exact one. */
function tells(one: Stretch, other: Stretch): boolean {
  if (one.whole !== other.whole) return one.whole;
  const longer = one.end - one.start - (other.end - other.start);
  return longer === 0 ? one.exact && !other.exact : longer > 0;
}
