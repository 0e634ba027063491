import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../common/package-root.ts';
import { loadSdk } from './sdk.ts';
import { openai } from './sdks/openai.ts';

describe('loadSdk', () => {
  test('names the packages to install', () => {
    const found = loadSdk({ ...openai, packages: { 'no-such-sdk': [1], openai: [6], 'nor-this': [2] } }, '/');
    expect(found).toEqual({
      kind: 'unavailable',
      reason: 'The SDK is not installed. Install no-such-sdk and nor-this.',
    });
  });
  test.each([packageRoot, '/'])('loads a dependency of this package from the folder %s', (folder) => {
    expect(loadSdk(openai, folder)).toMatchObject({ kind: 'loaded', versions: { openai: /^\d/ } });
  });
});
