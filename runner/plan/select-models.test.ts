import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { plan } from './plan.ts';
import { chooseModels, selectWithModels } from './select-models.ts';

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

const planned = plan(
  catalog,
  parseProfile(
    {
      baseUrl: 'http://127.0.0.1:9',
      keys: { valid: 'sk-model-selection' },
      models: { chat: { good: 'm', unsupported: ['old-a', 'old-b'] } },
    },
    catalog,
  ),
);
const ofOldA = 'models/unsupported/operation=chat/model-id=old-a';

test.each([false, true])(
  'selects a case of a model that the profile lists (--models: %s)',
  (asksForModels) => {
    const selection = { suites: [], only: [ofOldA] };
    const selected = selectWithModels(planned, selection, { asksForModels, catalog });
    expect(selected.plan.cases.map(({ id }) => id)).toEqual([ofOldA]);
  },
);

test('rejects a pattern that selects only cases of listed models without --models', () => {
  const selection = { suites: [], only: [ofOldA, '*/model-id=gpt-5'] };
  expect(() => selectWithModels(planned, selection, { asksForModels: false, catalog })).toThrow(
    '"*/model-id=gpt-5" selects cases of a listed model, which are sent only with --models.',
  );
});
