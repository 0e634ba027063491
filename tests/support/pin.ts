import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../common/package-root.ts';

const remedy = 'If the change is intended, run `npm run generate -- pins`, and commit';

/** Expects that these are exactly the lines of a file in tests/pins, in any order. */
export function expectPinned(name: string, lines: readonly string[]): void {
  const pinned = readPin(name);
  const gone = pinned.filter((line) => !lines.includes(line));
  const added = lines.filter((line) => !pinned.includes(line));
  expect({ gone, added }, `These differ from tests/pins/${name}. ${remedy} the file.`).toEqual({
    gone: [],
    added: [],
  });
}

/** Expects that no count is lower than in a file of tests/pins. */
export function expectNoFewer(name: string, counts: ReadonlyMap<string, number>): void {
  const fallen = readPin(name).filter((line) => {
    const [key = '', least] = line.split(' ');
    return (counts.get(key) ?? 0) < Number(least);
  });
  expect(fallen, `These counts of tests/pins/${name} are lower now. ${remedy} the file.`).toEqual([]);
}

/** Returns the lines of a file in tests/pins. */
export function readPin(name: string): string[] {
  return readFileSync(join(packageRoot, 'tests/pins', name), 'utf8')
    .split('\n')
    .filter(Boolean);
}
