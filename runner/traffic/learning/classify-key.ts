/** The kinds of texts that are not keys but that programs send by mistake. */
export const mistakenTexts: ReadonlyMap<string, string> = new Map([
  ['undefined', 'undefined'],
  ['null', 'null'],
  ['None', 'word'],
  ['constructor', 'word'],
  ['[object Object]', 'word'],
  ['sk-', 'prefix-only'],
]);

/** A text that was sent as a key. */
export interface KnownKey {
  readonly text: string;
  /** The kind of a key of the profile, such as `good`; `good` for a key that the traffic shows to work. */
  readonly kind: string;
  /** How often it was accepted; infinite for a key of the profile. */
  readonly successes: number;
  /** Whether the profile states the key, so that a similar text is not another key. */
  readonly isStated: boolean;
}

/**
 * Returns the kind of a text that was sent as a key: a kind of `specs/attributes.yaml`, and undefined if nothing is known about
 * it. A text that differs from a random key in one letter is no other key.
 */
export function classifyKeyText(text: string, known: readonly KnownKey[]): string | undefined {
  const own = known.find((key) => key.text === text);
  const rank = own?.successes ?? 0;
  const others = known.filter((key) => key.kind === 'good' && key.text !== text && key.successes >= rank);
  // Of two similar texts that were accepted equally often, the first one counts as the key.
  const before = others.filter(
    (key) => key.successes > rank || !own || known.indexOf(key) < known.indexOf(own),
  );
  for (const key of before) {
    const kind = describeChange(text, key);
    if (kind !== undefined) return kind;
  }
  return own?.kind;
}

/** Whether two keys are so similar that one may be a mistake, although both may be valid. */
export function isSimilarKey(text: string, key: string): boolean {
  const [short, long] = text.length < key.length ? [text, key] : [key, text];
  return short !== long && (long.startsWith(short) || differsInOneLetter(short, long));
}

/** Returns the kind of change that made `text` from a valid key; undefined if it may be another key. */
export function describeChange(
  text: string,
  { text: key, isStated }: Pick<KnownKey, 'text' | 'isStated'>,
): string | undefined {
  if (text.length > key.length && text.includes(key)) {
    if (/^Bearer\s/i.test(text)) return 'with-scheme';
    if (text.startsWith(`${key} `)) return 'followed';
    if (!/^[\x20-\x7e]*$/.test(text)) return 'non-ascii';
    // Such as a key in quotes or in a JSON object.
    if (/["'{}<>]/.test(text)) return 'unknown';
  }
  if (isStated ? key.length < minStatedLength : !isRandom(key)) return undefined;
  const [short, long] = text.length < key.length ? [text, key] : [key, text];
  const rest = long.startsWith(short) ? long.slice(short.length) : '';
  // Keys such as `sk-team` and `sk-team-2` can both be valid.
  if (rest !== '' && !/^[-_.]/.test(rest)) {
    if (short === text && text.length >= key.length / 3) return 'truncated';
    if (short === key && rest.length <= 4) return 'extended';
  }
  if (text !== key && text.toLowerCase() === key.toLowerCase()) return 'other-case';
  if (key === `sk-${text}`) return 'prefix-less';
  return differsInOneLetter(text, key) ? 'altered' : undefined;
}

/** A shorter key of a profile may be made up, as its neighbours. */
const minStatedLength = 20;

/** Whether two texts differ in one letter, or in the order of two neighbours; not in the last digits, which may be a number. */
function differsInOneLetter(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const places = [...a].flatMap((letter, index) => (letter === b[index] ? [] : [index]));
  const [first = 0, second] = places;
  if (places.length === 1) return !/^[-_.]?\d*$/.test(a.slice(first)) || !/^[-_.]?\d*$/.test(b.slice(first));
  return places.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first];
}

/**
 * Whether a key looks random, so that two valid keys are never similar. A key that a person made up can have a neighbour:
 * `sk-team-a`, `sk-test-0123456789`.
 */
function isRandom(key: string): boolean {
  const letters = key.replace(/^sk-/, '');
  const isMadeUp = /(.)\1{3}|0123|1234|2345|3456|4567|5678|6789|abcd|bcde|cdef|test|demo|key/i.test(letters);
  return letters.length >= 16 && new Set(letters).size >= 9 && /\d/.test(letters) && !isMadeUp;
}
