import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { type Profile, type StatedProfile, UsageError } from '../profile/profile.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { plan } from './plan.ts';
import { chooseModels, fitModel, type ModelChoice, selectWithModels } from './select-models.ts';

const catalog = await catalogOfPackage();
const { fixtures } = catalog;
function profileWith(models: StatedProfile['models'] = {}): Profile {
  return parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' }, models }, catalog);
}

const listed = [
  'gpt-4o',
  'openai/gpt-5',
  'gpt-5/beta',
  'claude-9',
  'gemini-1',
  'text-embedding-3',
  'gpt\n6',
  'other',
];

const choose = (patterns: readonly string[], choice: Partial<ModelChoice> = {}): readonly string[] =>
  chooseModels(listed, { patterns, most: 100, canShow: () => true, ...choice });

test.each([
  [['all'], listed],
  [['gpt-4o'], ['gpt-4o']],
  [
    ['gpt-*', '*gpt*'],
    ['gpt-4o', 'openai/gpt-5', 'gpt-5/beta', 'gpt\n6'],
  ],
  [['openai/*'], ['openai/gpt-5']],
  [
    ['gpt-5/beta', 'other'],
    ['gpt-5/beta', 'other'],
  ],
])('%j chooses %j, in the order of the list', (patterns, ids) => {
  expect(choose(patterns)).toEqual(ids);
});

test('rejects more models than the limit, and names their number and the flag', () => {
  expect(() => choose(['gpt-*', '*gpt*'], { most: 1 })).toThrow(
    new UsageError(
      '--models selects 4 of 8 listed models, and the limit is 1. Select fewer models, or raise the limit (--max-models, or maxModels in the library).',
    ),
  );
  expect(choose(['gpt-*', '*gpt*'], { most: 4 })).toHaveLength(4);
});

test('leaves out models whose ID a report cannot show, and suggests none of them', () => {
  const canShow = (id: string): boolean => id !== 'gpt-4o';
  expect(choose(['*gpt*'], { canShow })).toEqual(['openai/gpt-5', 'gpt-5/beta', 'gpt\n6']);
  expect(() => choose(['gpt-4o'], { canShow })).toThrow(
    /^No model of the model list matches "gpt-4o"\.(?!.*Did you mean "gpt-4o")/,
  );
});

test('rejects a pattern that matches no listed model, and suggests the nearest name', () => {
  expect(() => choose(['gpt-4'])).toThrow(
    new UsageError('No model of the model list matches "gpt-4". Did you mean "gpt-4o"?'),
  );
});

test('chooses the operations that fit the ID of a model, and those that the profile states', () => {
  const profile = profileWith({
    chat: { good: 'other', unsupported: 'gemini-1' },
    messages: { textOnly: 'other', mismatched: 'claude-9' },
  });
  const chosen = listed.map((id) => fitModel(id, { fixtures, profile }));
  expect(Object.fromEntries(chosen.map(({ id, operations }) => [id, operations]))).toEqual({
    'gpt-4o': ['chat', 'responses'],
    'openai/gpt-5': ['chat', 'responses'],
    'gpt-5/beta': ['chat', 'responses'],
    'claude-9': ['chat'],
    'gemini-1': ['generate'],
    'text-embedding-3': [],
    'gpt\n6': ['chat', 'responses'],
    other: ['chat', 'responses', 'messages'],
  });
  expect(chosen.at(-1)?.stated).toEqual(['chat', 'messages']);
});

const planned = plan(
  createPromise(
    catalog,
    parseProfile(
      {
        baseUrl: 'http://127.0.0.1:9',
        keys: { valid: 'sk-model-selection' },
        models: { chat: { good: 'm', unsupported: ['old-a', 'old-b'] } },
      },
      catalog,
    ),
  ),
);
const ofOldA = 'models/unsupported/operation=chat/model-id=old-a';

test.each([false, true])(
  'selects a case of a model that the profile lists (--models: %s)',
  (asksForModels) => {
    const selection = { suites: [], only: [ofOldA] };
    const selected = selectWithModels(planned, selection, { asksForModels, fixtures });
    expect(selected.plan.cases.map(({ id }) => id)).toEqual([ofOldA]);
  },
);

test('rejects a pattern that selects only cases of listed models without --models', () => {
  const selection = { suites: [], only: [ofOldA, '*/model-id=gpt-5'] };
  expect(() => selectWithModels(planned, selection, { asksForModels: false, fixtures })).toThrow(
    '"*/model-id=gpt-5" selects cases of a listed model, which are sent only with --models.',
  );
});
