import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../contract/package-root.ts';
import { loadSdk } from './sdk.ts';
import { openai } from './sdks/openai.ts';

describe('loadSdk', () => {
  test('says which packages are to be installed', () => {
    const found = loadSdk({ ...openai, packages: { 'no-such-sdk': [1], openai: [6], 'nor-this': [2] } }, '/');
    expect(found).toEqual({
      kind: 'absent',
      reason: 'Install no-such-sdk and nor-this to have it judged.',
    });
  });
  test.each([packageRoot, '/'])('finds what is beside this package, seen from %s', (folder) => {
    expect(loadSdk(openai, folder)).toMatchObject({ kind: 'open', versions: { openai: /^\d/ } });
  });
});
