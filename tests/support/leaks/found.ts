import { makeScan, type Scan } from './scan.ts';

/** Keys of tests begin like this, wherever they stand. */
const keyLike = /\bsk-[A-Za-z0-9_-]{13,}/g;

const leaks: string[] = [];
const scans = new Map<string, Scan>();
const known = new Set<string>();

/** What looks like a key in a text. */
export function keysIn(text: string): string[] {
  return text.match(keyLike) ?? [];
}

/** Forgets the keys of the test file that ran before in this process. */
export function forgetKeys(): void {
  known.clear();
}

/** Adds keys that no output of this test file may have. */
export function know(keys: readonly string[]): void {
  for (const key of keys) known.add(key);
}

/** Looks for keys in a text that was put out, those that are known and more. */
export function look(where: string, text: string, more: readonly string[] = []): void {
  const keys = [...new Set([...known, ...more])].sort();
  const name = keys.join(' ');
  const scan = scans.get(name) ?? makeScan(keys);
  scans.set(name, scan);
  for (const found of scan(text)) leaks.push(`${where}: ${found}`);
}

/** What was found since this was last asked. */
export function takeLeaks(): string[] {
  return leaks.splice(0);
}
