import type { ReportText } from '../../../runner/reporters/reporter.ts';
import { unpackPage } from '../unpack-page.ts';
import { createKeyScanner, type KeyScanner } from './key-scanner.ts';

/** Matches the keys of tests by their prefix and length. */
const keyLike = /\bsk-[A-Za-z0-9_-]{13,}/g;

const leaks: string[] = [];
const scans = new Map<string, KeyScanner>();
const known = new Set<string>();

/** Returns the parts of a text that look like keys of tests. */
export function keysIn(text: string): string[] {
  return text.match(keyLike) ?? [];
}

/** Removes all known keys, such as the keys of the test file that ran before in this process. */
export function forgetKeys(): void {
  known.clear();
}

/** Adds keys that no output of this test file may contain. */
export function addKeys(keys: readonly string[]): void {
  for (const key of keys) known.add(key);
}

/** Searches an output for the known keys and for `more` keys, and records each leak. */
export function searchForKeys(where: string, text: string, more: readonly string[] = []): void {
  const keys = [...new Set([...known, ...more])].sort();
  const name = keys.join(' ');
  const scan = scans.get(name) ?? createKeyScanner(keys);
  scans.set(name, scan);
  for (const found of scan(unpackPage(text))) leaks.push(`${where}: ${found}`);
}

/**
 * Searches a text for keys, and returns the text. For a generator, returns a generator of the same pieces that
 * searches the text after the last piece is read.
 */
export function searchOutput(where: string, text: ReportText): ReportText {
  if (typeof text !== 'string') return searchPieces(where, text);
  searchForKeys(where, text);
  return text;
}

function* searchPieces(where: string, pieces: Iterable<string>): Generator<string> {
  let whole = '';
  try {
    for (const piece of pieces) {
      whole += piece;
      yield piece;
    }
  } finally {
    searchForKeys(where, whole);
  }
}

/** Returns the leaks since the last call. */
export function takeLeaks(): string[] {
  return leaks.splice(0);
}
