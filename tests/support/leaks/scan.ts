import { encodings, windowsOf } from '../key-encodings.ts';

/** A stretch of a key of so many letters is of use to somebody. */
const least = 10;

/** Of `least` letters anywhere in a text, so many stand together behind one of every `step` places. */
const seedLength = 5;
const step = least - seedLength + 1;
const buckets = 2 ** 20;
const mostTold = 5;

/** Says of a text which stretches of keys stand in it, a few of them, each with its encoding. */
export type Scan = (text: string) => string[];

interface Form {
  readonly text: string;
  readonly told: string;
}

/**
 * Looks for every stretch of ten letters of some keys, in every encoding of `key-encodings.ts`, in upper and lower case;
 * it shares nothing with the redaction that it holds to its word. How many forms there are costs next to nothing.
 */
export function makeScan(keys: readonly string[]): Scan {
  const isSeed = new Uint8Array(buckets);
  const byBeginning = new Map<string, Form[]>();
  for (const form of formsOf(keys)) {
    const beginning = form.text.slice(0, least);
    const same = byBeginning.get(beginning) ?? [];
    byBeginning.set(beginning, [...same, form]);
    for (let at = 0; at < step; at++) isSeed[seedAt(form.text, at)] = 1;
  }
  return (given) => {
    const text = given.toLowerCase();
    const found = new Set<string>();
    for (let place = 0; place < text.length && found.size < mostTold; place += step) {
      if (isSeed[seedAt(text, place)] !== 1) continue;
      for (let start = Math.max(0, place - step + 1); start <= place; start++) {
        for (const form of byBeginning.get(text.slice(start, start + least)) ?? [])
          if (text.startsWith(form.text, start)) found.add(form.told);
      }
    }
    return [...found];
  };
}

function formsOf(keys: readonly string[]): Form[] {
  const stretches = [...new Set(keys.flatMap(telling))];
  return Object.entries(encodings).flatMap(([name, encode]) =>
    stretches
      .flatMap(encode)
      .map((form) => ({ text: form.toLowerCase(), told: `a stretch of a key, ${name}: ${form}` })),
  );
}

/**
 * The stretches that tell of a key: not the words that makers of keys put before it, such as `sk-proj-`, and not the same
 * few letters again and again, which any number may have.
 */
function telling(key: string): string[] {
  const words = /^(?:[a-z]+[-_])*/i.exec(key)?.[0].length ?? 0;
  return windowsOf(key, least).filter(
    (stretch, start) => new Set(stretch.slice(Math.max(0, words - start))).size > 3,
  );
}

function seedAt(text: string, place: number): number {
  let hash = 0;
  for (let at = place; at < place + seedLength; at++)
    hash = (Math.imul(hash, 31) + text.charCodeAt(at)) & (buckets - 1);
  return hash;
}
