import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../common/package-root.ts';

const folder = join(packageRoot, 'tests/pins');

const isUpdate = process.env.UPDATE_PINS === '1';
const remedy =
  'If the change is intended, run UPDATE_PINS=1 npm run test:only -- tests/integration/requirements, and commit';

/**
 * Expects that these are exactly the lines of a file in tests/pins, in any order. With `UPDATE_PINS=1`, writes the file
 * first.
 */
export function expectPinned(name: string, lines: readonly string[]): void {
  if (isUpdate) write(name, lines);
  const pinned = readPin(name);
  const gone = pinned.filter((line) => !lines.includes(line));
  const added = lines.filter((line) => !pinned.includes(line));
  expect({ gone, added }, `These differ from tests/pins/${name}. ${remedy} the file.`).toEqual({
    gone: [],
    added: [],
  });
}

/** Expects that no count is lower than in a file of tests/pins. With `UPDATE_PINS=1`, writes the file first. */
export function expectNoFewer(name: string, counts: ReadonlyMap<string, number>): void {
  if (isUpdate) write(name, [...counts].map(([key, count]) => `${key} ${count}`).sort());
  const fallen = readPin(name).filter((line) => {
    const [key = '', least] = line.split(' ');
    return (counts.get(key) ?? 0) < Number(least);
  });
  expect(fallen, `These counts of tests/pins/${name} are lower now. ${remedy} the file.`).toEqual([]);
}

/** Returns the lines of a file in tests/pins. */
export function readPin(name: string): string[] {
  return readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean);
}

function write(name: string, lines: readonly string[]): void {
  writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
}
