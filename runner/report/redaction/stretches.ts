import type { Form } from './forms.ts';

/** A stretch of a form, as long as it can be, and where it was found. */
export interface Stretch {
  readonly form: Form;
  readonly start: number;
  readonly end: number;
  /** Whether it is all of the form. */
  readonly whole: boolean;
  /** Whether its upper and lower case are those of the form. */
  readonly exact: boolean;
}

/** Finds the stretches of some forms in a text. */
export type Find = (text: string) => Stretch[];

/** So many letters more are asked of a stretch that is words only: models and the like share words with keys. */
const moreOfWords = 2;

/** A secret that repeats itself is as well known by the first of the places that are alike. */
const mostAlike = 8;

/** How many hashes there are, a power of two. */
const hashes = 0x10000;

/**
 * Makes what finds, in any case, every stretch of the forms that is long enough. It doesn't look at every place: what has
 * at least `needed` letters has a seed at one of every `step` places, and is followed from there to both sides.
 */
export function makeFind(forms: readonly Form[]): Find {
  const needed = Math.min(...forms.map(({ text, least }) => Math.min(text.length, least)));
  const seedLength = Math.min(5, needed);
  const step = needed - seedLength + 1;
  /** For each hash, one more than the place of its seeds in the list. */
  const placeOf = new Uint32Array(hashes);
  const seeds: Seed[][] = [];
  for (const [index, form] of forms.entries()) {
    const letters = fold(form.text);
    const known = new Map<number, number>();
    for (let at = 0; at + seedLength <= letters.length; at++) {
      const hash = hashOf(letters, at, seedLength);
      const times = (known.get(hash) ?? 0) + 1;
      known.set(hash, times);
      if (times > mostAlike) continue;
      const seed = { form, index, letters, at };
      const alike = seeds[(placeOf[hash] ?? 0) - 1];
      if (alike) alike.push(seed);
      else placeOf[hash] = seeds.push([seed]);
    }
  }
  return (text) => {
    const stretches: Stretch[] = [];
    if (text.length < needed) return stretches;
    const given = fold(text);
    /** For each form, where its last stretch lies and ends: its other seeds there lead to the same one. */
    const followed: { shift: number; end: number; told: boolean }[] = [];
    for (let place = 0; place + seedLength <= given.length; place += step) {
      const alike = seeds[(placeOf[hashOf(given, place, seedLength)] ?? 0) - 1];
      if (!alike) continue;
      for (const { form, index, letters, at } of alike) {
        const shift = place - at;
        const before = followed[index];
        if (before && place < before.end && (before.shift === shift || before.told)) continue;
        let [first, last] = [at, at];
        while (last < letters.length && letters.charCodeAt(last) === given.charCodeAt(shift + last)) last++;
        if (last - at < seedLength) continue;
        while (first > 0 && letters.charCodeAt(first - 1) === given.charCodeAt(shift + first - 1)) first--;
        const [start, end] = [shift + first, shift + last];
        const whole = last - first === letters.length;
        const told = whole || last - first >= form.least + (last <= form.words ? moreOfWords : 0);
        followed[index] = { shift, end, told };
        if (!told) continue;
        const exact = text.slice(start, end) === form.text.slice(first, last);
        stretches.push({ form, start, end, whole, exact });
      }
    }
    return stretches;
  };
}

/** A few letters at a place in a form. */
interface Seed {
  readonly form: Form;
  readonly index: number;
  readonly letters: string;
  readonly at: number;
}

function hashOf(text: string, start: number, length: number): number {
  let hash = 0;
  for (let place = start; place < start + length; place++)
    hash = (hash * 31 + text.charCodeAt(place)) & (hashes - 1);
  return hash;
}

/** A text in lower case, of the same length. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
