import { attributesOfPackage } from '../../catalog/attributes.ts';
import { plainTexts } from '../../request/key-edits.ts';

/** Returns the kind of a text that programs send by mistake instead of a key; undefined for any other text. */
export function classifyMistake(text: string): string | undefined {
  if (text === '[object Object]') return 'word';
  const kind = plainTexts().get(text);
  return kind !== undefined && attributesOfPackage().valuesOf('key', 'wrong').includes(kind)
    ? kind
    : undefined;
}

/** A key of the profile, or a text that the gateway accepted as a key. */
export interface KnownKey {
  readonly text: string;
  /** The kind of the key, such as `good`. An accepted key is `good`. */
  readonly kind: string;
  /** How often the key was accepted; infinite for a key of the profile. */
  readonly successes: number;
  /**
   * Whether the profile states the key. A similar text then counts as a changed key, however often the gateway
   * accepts this text.
   */
  readonly isStated: boolean;
}

/**
 * Returns the kind of a text that was sent as a key, as in `specs/attributes.yaml`. Returns undefined if nothing
 * is known about the text. A text that differs slightly from a random key, such as in one letter, counts as a changed
 * key.
 */
export function classifyKeyText(text: string, known: readonly KnownKey[]): string | undefined {
  const own = known.find((key) => key.text === text);
  const rank = own?.successes ?? 0;
  const others = known.filter((key) => key.kind === 'good' && key.text !== text && key.successes >= rank);
  // Of two similar texts that were accepted equally often, the first text counts as the key.
  const before = others.filter(
    (key) => key.isStated || (rank < timesOfKey && (key.successes > rank || !own || isFirst(key, own))),
  );
  for (const key of before) {
    const kind = describeChange(text, key);
    if (kind !== undefined) return kind;
  }
  return own?.kind;

  function isFirst(a: KnownKey, b: KnownKey): boolean {
    return known.indexOf(a) < known.indexOf(b);
  }
}

/** The number of accepted calls after which a text counts as a key, even if the text is similar to a learned key. */
const timesOfKey = 5;

/**
 * Whether two keys are so similar that one of the keys may be a mistake, although both may be valid; or that both may
 * be mistakes of a third key, which they differ from in one place each.
 */
export function isSimilarKey(text: string, key: string): boolean {
  const [short, long] = text.length < key.length ? [text, key] : [key, text];
  if (short === long) return false;
  return long.startsWith(short) || differsInOneLetter(short, long) || mayHaveCommonOrigin(short, long);
}

/** Whether one change turns a random key into one text, and another change turns it into the other text. */
function mayHaveCommonOrigin(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/^sk-/, '').toLowerCase());
  const looksRandom = [one, other].some((text) =>
    splitKey(text).some((part) => isRandom(part) || isMixed(part)),
  );
  return a !== undefined && b !== undefined && looksRandom && isWithinEdits(a, b, 2);
}

/** Whether so many changes of single characters, or fewer, turn one text into another. */
function isWithinEdits(a: string, b: string, edits: number): boolean {
  if (Math.abs(a.length - b.length) > edits) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  const [restA, restB] = [a.slice(start), b.slice(start)];
  if (restA === restB) return true;
  if (edits === 0) return false;
  return (
    isWithinEdits(restA.slice(1), restB.slice(1), edits - 1) ||
    isWithinEdits(restA.slice(1), restB, edits - 1) ||
    isWithinEdits(restA, restB.slice(1), edits - 1)
  );
}

/** Returns the kind of change that turned a valid key into `text`; undefined if `text` may be another key. */
export function describeChange(text: string, { text: key }: Pick<KnownKey, 'text'>): string | undefined {
  if (text.length > key.length && text.includes(key)) {
    if (/^Bearer\s/i.test(text)) return 'with-scheme';
    if (text.startsWith(`${key} `)) return 'followed';
    if (text.startsWith(`${key},`)) return 'listed';
    if (!/^[\x20-\x7e]*$/.test(text)) return 'non-ascii';
    if (text === `"${key}"`) return 'quoted';
    // The text may be a key in other quotes or in a JSON object.
    if (/["'{}<>]/.test(text)) return 'unknown';
  }
  if (key === `sk-${text}` && splitKey(key).some(isMixed)) return 'prefix-less';
  if (text !== key && text.toLowerCase() === key.toLowerCase() && splitKey(key).some(isMixed))
    return 'other-case';
  return describeSegmentChange(splitKey(text), splitKey(key));
}

/** Splits a key such as `sk-team-9fK2mQ` into its segments. */
function splitKey(key: string): readonly string[] {
  return key.split(/[^A-Za-z0-9]/);
}

/**
 * Returns the kind of change if a text is a truncated key, or differs from a key in one segment; undefined if the
 * text may be another valid key. The text may be another valid key if the random segment is the same, as in
 * `sk-9fK2mQ7xW4vL8nB3tR6yZ1-a`, or if a person made up the segment that differs, as in `sk-worker2-production`.
 */
function describeSegmentChange(text: readonly string[], key: readonly string[]): string | undefined {
  const different = [...key.keys()].filter((index) => text[index] !== key[index]);
  const [index = 0] = different;
  const [changed = '', own = ''] = [text[index], key[index]];
  if (text.length > key.length || !(isRandom(own) || isLong(own))) return undefined;
  // If the key was truncated within its random segment, this segment is the last segment of the text.
  const isEnd = index === text.length - 1;
  if (isEnd && own.startsWith(changed) && changed.length >= own.length / 3) return 'truncated';
  if (text.length !== key.length || different.length !== 1) return undefined;
  const rest = changed.startsWith(own) ? changed.slice(own.length) : '';
  if (isEnd && rest !== '' && rest.length <= 4 && !/^\d+$/.test(rest)) return 'extended';
  // Segments that a person made up differ at their end.
  const isMeant = isRandom(own) || changed.slice(0, -2) !== own.slice(0, -2);
  return isMeant && differsInOneLetter(changed, own) ? 'altered' : undefined;
}

/**
 * Whether two texts of the same length differ only in one character that is not in a number at the end, or only in
 * the order of two adjacent characters.
 */
function differsInOneLetter(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const places = [...a].flatMap((letter, index) => (letter === b[index] ? [] : [index]));
  const [first = 0, second] = places;
  const isNumber = (text: string): boolean => /^\d*$/.test(text.slice(first));
  if (places.length === 1) return !isNumber(a) || !isNumber(b);
  return places.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first];
}

/**
 * Whether a segment looks random, so that no two valid keys have similar segments. A random segment is hexadecimal,
 * or its letters and digits alternate often. A random segment also has many different characters, and no common
 * sequence.
 */
function isRandom(segment: string): boolean {
  const classes = classesOf(segment);
  const changes = classes.filter((own, index) => index > 0 && own !== classes[index - 1]).length;
  const isHex = /^([\da-f]{24,}|[\dA-F]{24,})$/.test(segment);
  const isAlternating = isMixed(segment) && changes >= segment.length * 0.45;
  return isHex || isAlternating
    ? new Set(segment).size >= 9 && !/(.)\1{3}/.test(segment) && !sequence.test(segment)
    : false;
}

/** Whether a segment has at least 20 characters, among them digits, lower-case letters and upper-case letters. */
function isLong(segment: string): boolean {
  return segment.length >= 20 && isMixed(segment);
}

function isMixed(segment: string): boolean {
  return segment.length >= 16 && new Set(classesOf(segment)).size === 3;
}

function classesOf(segment: string): readonly string[] {
  return [...segment].map((letter) =>
    /\d/.test(letter) ? 'digit' : /[a-z]/.test(letter) ? 'lower' : 'upper',
  );
}

const sequence = /0123|1234|2345|3456|4567|5678|6789|abcd|bcde|cdef|test|demo|key/i;
