import type { SecretForm } from './forms.ts';

/** A match of a form, or of a part of a form, in a text. `end` is the index after the match. */
export interface Stretch {
  readonly form: SecretForm;
  readonly start: number;
  readonly end: number;
  /** Whether the match is the whole form. */
  readonly whole: boolean;
  /** Whether the match has the same upper and lower case as the form. */
  readonly exact: boolean;
}

/**
 * Returns the parts of a text that match a form of a secret, such as its base64 encoding; an empty list if no part
 * matches.
 */
export type FindStretches = (text: string) => Stretch[];

/**
 * The number of additional characters that a match inside the leading words of a form needs, since model names share
 * words with keys.
 */
const additionalInWords = 2;

/**
 * The maximum number of seeds of one form with the same hash. Without the limit, a repetitive secret would slow the
 * search.
 */
const maxSeedsPerHash = 8;

/** The number of hash values, a power of two. */
const hashCount = 0x10000;

/**
 * Creates a case-insensitive search for the forms. The search looks up only every `step`-th position in a table of
 * seeds. A match of at least `needed` characters has a seed at one of these positions, and is extended from the seed.
 */
export function createFindStretches(forms: readonly SecretForm[]): FindStretches {
  const needed = Math.min(...forms.map(({ text, least }) => Math.min(text.length, least)));
  const seedLength = Math.min(5, needed);
  const step = needed - seedLength + 1;
  // The seeds are indexed when the first text that is long enough is searched, so that an unused search is cheap.
  let seedsWith: SeedIndex | undefined;
  return (text) => {
    const stretches: Stretch[] = [];
    if (text.length < needed) return stretches;
    seedsWith ??= indexSeeds(forms, seedLength);
    const given = toLowerCase(text);
    /** The last match of each form. Other seeds of the form in this match lead to the same match. */
    const followed: { shift: number; end: number; isReported: boolean }[] = [];
    for (let place = 0; place + seedLength <= given.length; place += step) {
      const alike = seedsWith(hashOf(given, place, seedLength));
      if (!alike) continue;
      for (const { form, index, letters, at } of alike) {
        const shift = place - at;
        const before = followed[index];
        if (before && place < before.end && (before.shift === shift || before.isReported)) continue;
        let [first, last] = [at, at];
        while (last < letters.length && letters.charCodeAt(last) === given.charCodeAt(shift + last)) last++;
        if (last - at < seedLength) continue;
        while (first > 0 && letters.charCodeAt(first - 1) === given.charCodeAt(shift + first - 1)) first--;
        const [start, end] = [shift + first, shift + last];
        const whole = last - first === letters.length;
        const isReported = whole || last - first >= form.least + (last <= form.words ? additionalInWords : 0);
        followed[index] = { shift, end, isReported };
        if (!isReported) continue;
        const exact = text.slice(start, end) === form.text.slice(first, last);
        stretches.push({ form, start, end, whole, exact });
      }
    }
    return stretches;
  };
}

/** A short part of a form, which begins at the index `at` of its lower-case text. */
interface Seed {
  readonly form: SecretForm;
  readonly index: number;
  readonly letters: string;
  readonly at: number;
}

/** Returns the seeds with a hash value; undefined if no seed has the value. */
type SeedIndex = (hash: number) => readonly Seed[] | undefined;

function indexSeeds(forms: readonly SecretForm[], seedLength: number): SeedIndex {
  /** The index in `seeds` of the seeds with each hash value; 0 if no seed has the value. */
  const placeOf = new Uint32Array(hashCount);
  const seeds: (Seed[] | undefined)[] = [undefined];
  for (const [index, form] of forms.entries()) {
    const letters = toLowerCase(form.text);
    const known = new Map<number, number>();
    for (let at = 0; at + seedLength <= letters.length; at++) {
      const hash = hashOf(letters, at, seedLength);
      const times = (known.get(hash) ?? 0) + 1;
      known.set(hash, times);
      if (times > maxSeedsPerHash) continue;
      const seed = { form, index, letters, at };
      const alike = seeds[placeOf[hash] ?? 0];
      if (alike) alike.push(seed);
      else placeOf[hash] = seeds.push([seed]) - 1;
    }
  }
  return (hash) => seeds[placeOf[hash] ?? 0];
}

function hashOf(text: string, start: number, length: number): number {
  let hash = 0;
  for (let place = start; place < start + length; place++)
    hash = (hash * 31 + text.charCodeAt(place)) & (hashCount - 1);
  return hash;
}

/** Converts a text to lower case without changing its length. */
function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
