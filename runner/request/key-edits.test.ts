import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { attributesOfPackage } from '../catalog/attributes.ts';
import { applyEdit, formatEditInShell } from './key-edits.ts';

const key = 'sk-Kept77aab-Zx9QwErT0mNpLk';

test('curl lines edit the key in the shell as the run does', () => {
  const kinds = [...attributesOfPackage().keyKinds].flatMap(([name, kind]) => {
    const shell = kind.edit?.kind === 'text' ? undefined : formatEditInShell(kind, 'KEY');
    return shell === undefined ? [] : [{ name, kind, shell }];
  });
  const script = kinds.map(({ shell }) => `printf '%s\\n' "${shell}"`).join('\n');
  const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { ...process.env, KEY: key } });
  const context = { taken: [], nameSource: () => '' };
  expect(
    printed
      .trimEnd()
      .split('\n')
      .map((text, index) => [kinds[index]?.name, text]),
  ).toEqual(kinds.map(({ name, kind }) => [name, applyEdit(kind, key, context)]));
  expect(kinds.length).toBeGreaterThan(8);
});
