import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { commands } from '../../../runner/cli/command-table.ts';

test('docs/flags.md has a section for each command', () => {
  const text = readFileSync(join(packageRoot, 'docs/flags.md'), 'utf8');
  const sections = [...text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(expect.arrayContaining(Object.values(commands).map(({ name }) => name)));
});
