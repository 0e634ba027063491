import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../contract/package-root.ts';

const folder = join(packageRoot, 'tests/pins');

/**
 * Holds lines against those of a committed file in tests/pins; fails with each line that is gone and each that is new.
 * With UPDATE_PINS=1 in the environment it writes the file instead.
 */
export function holdPin(name: string, lines: readonly string[]): void {
  const path = join(folder, name);
  if (process.env.UPDATE_PINS === '1') {
    writeFileSync(path, `${lines.join('\n')}\n`);
    return;
  }
  const pinned = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const remedy = `differs from tests/pins/${name}. If that is on purpose: UPDATE_PINS=1 npx vitest run tests, and commit the file.`;
  const [before, now] = [new Set(pinned), new Set(lines)];
  const gone = pinned.filter((line) => !now.has(line));
  const added = lines.filter((line) => !before.has(line));
  expect({ gone, added }, `This ${remedy}`).toEqual({ gone: [], added: [] });
  expect(lines, `The order ${remedy}`).toEqual(pinned);
}
