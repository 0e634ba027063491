import { encodings, windowsOf } from '../key-encodings.ts';

/** The minimum number of characters of a part of a key that counts as a leak. */
const least = 12;

/** Any `least` characters in a row contain `seedLength` characters that begin at a multiple of `step`. */
const seedLength = 5;
const step = least - seedLength + 1;
const buckets = 2 ** 20;
const maxMatches = 5;

/** Finds parts of keys in a text. Returns about the first five parts, each with its encoding. */
export type KeyScanner = (text: string) => string[];

interface Form {
  readonly text: string;
  readonly message: string;
}

/**
 * Creates a scanner that finds every part of twelve characters that identifies one of the keys, in every encoding of
 * `key-encodings.ts` and in any letter case. The scanner shares no code with the redaction that the tests check. The
 * time of a search hardly depends on the number of encodings.
 */
export function createKeyScanner(keys: readonly string[]): KeyScanner {
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
    for (let place = 0; place < text.length && found.size < maxMatches; place += step) {
      if (isSeed[seedAt(text, place)] !== 1) continue;
      for (let start = Math.max(0, place - step + 1); start <= place; start++) {
        for (const form of byBeginning.get(text.slice(start, start + least)) ?? [])
          if (text.startsWith(form.text, start)) found.add(form.message);
      }
    }
    return [...found];
  };
}

function formsOf(keys: readonly string[]): Form[] {
  const stretches = [...new Set(keys.flatMap(identifyingParts))];
  return Object.entries(encodings).flatMap(([name, encode]) =>
    stretches
      .flatMap(encode)
      .map((form) => ({ text: form.toLowerCase(), message: `a part of a key, ${name}: ${form}` })),
  );
}

/**
 * Returns the parts of a key that identify the key: parts with more than three different characters outside the prefix,
 * such as `sk-proj-`. Other parts could also occur in a text without a key.
 */
function identifyingParts(key: string): string[] {
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
