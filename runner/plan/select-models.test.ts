import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { chooseModels } from './select-models.ts';

const catalog = await catalogOfPackage();
const profile = parseProfile(
  { baseUrl: 'http://127.0.0.1:9', keys: { valid: 'sk-model-selection' } },
  catalog,
);
const listed = ['openai/gpt-5', 'gpt-5', 'gpt-5/beta', 'gpt-5.1', 'gpt\n6'];
const chosen = (...patterns: string[]): string[] =>
  chooseModels(listed, patterns, catalog, profile).map(({ id }) => id);

test.each([
  [['all'], listed],
  [['gpt-5'], ['gpt-5']],
  [
    ['gpt-5/beta', 'gpt-5.1'],
    ['gpt-5/beta', 'gpt-5.1'],
  ],
  [['openai/*'], ['openai/gpt-5']],
  [['gpt*'], ['gpt-5', 'gpt-5/beta', 'gpt-5.1', 'gpt\n6']],
])('chooses from the listed models with %j: %j', (patterns, expected) => {
  expect(chosen(...patterns)).toEqual(expected);
});
