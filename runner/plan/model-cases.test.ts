import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { formatModelSegment } from './applicability.ts';
import { groupModel, planModel, selectModelTemplates } from './model-cases.ts';
import { plan } from './plan.ts';
import { select } from './select.ts';

const catalog = await catalogOfPackage();

const profile = parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a' } }, catalog);
const promise = createPromise(catalog, profile);

test.each([
  ['gpt-4o', 'model-id=gpt-4o'],
  ['openai/gpt-4o:free', 'model-id=openai%2Fgpt-4o:free'],
  ['a b#1@2~3*', 'model-id=a%20b%231%402%7E3%2A'],
  ['\u001b[31m\ud800', 'model-id=%1B%5B31m%EF%BF%BD'],
])('formats the model %j as %s in case IDs', (model, segment) => {
  expect(formatModelSegment(model)).toBe(segment);
});

const templates = selectModelTemplates(select(plan(promise), { suites: [], only: [] }), catalog);

test('plans the cases of a model with only the valid key, and controls in only one header', () => {
  const { cases, sent } = planModel(templates, 'm/1', ['chat', 'generate']);
  expect(cases.length).toBeGreaterThan(60);
  expect(new Set(sent.flatMap(({ steps }) => steps.map(({ attributes }) => attributes.key)))).toEqual(
    new Set(['good']),
  );
  expect(cases.every(({ id }) => id.endsWith('/model-id=m%2F1'))).toBe(true);
  const controls = sent.filter(({ phase }) => phase === 'controls').map(({ id }) => id.split('/model-id')[0]);
  expect(controls.toSorted()).toEqual([
    'auth/good-key/operation=chat/header=bearer',
    'auth/good-key/operation=generate/header=bearer',
    'auth/good-key/operation=streamGenerate/header=bearer',
    'streams/good-call/operation=chat',
    'streams/good-call/operation=streamGenerate',
  ]);
});

test('plans a malformed body only if the path names the model, and no invalid member `model`', () => {
  const { cases } = planModel(templates, 'm', ['chat', 'generate']);
  const unreadable = cases.filter(({ attributes }) => attributes.fault === 'unparseable');
  expect(new Set(unreadable.map(({ attributes }) => attributes.operation))).toEqual(
    new Set(['generate', 'streamGenerate']),
  );
  expect(cases.filter(({ attributes }) => attributes.member === 'model')).toEqual([]);
});

test('sends nothing to a model without a selected case', () => {
  const ofOne = { ...templates, isChosen: (id: string) => id.endsWith('/model-id=m') };
  expect(planModel(ofOne, 'other', ['chat'])).toEqual({ cases: [], sent: [] });
  expect(planModel(ofOne, 'm', ['chat'])).toEqual(planModel(templates, 'm', ['chat']));
});

test('groups the models that have the same cases', () => {
  const operations = ['chat'] as const;
  const ofOne = { ...templates, isChosen: (id: string) => id.endsWith('/model-id=m') };
  const keyOf = (id: string): string => groupModel(ofOne, { id, operations });
  expect(keyOf('other')).toBe(keyOf('another'));
  expect(keyOf('m')).not.toBe(keyOf('other'));
  expect(groupModel(templates, { id: 'm', operations })).toBe(groupModel(templates, { id: 'n', operations }));
  expect(groupModel(templates, { id: 'm', operations: [] })).not.toBe(keyOf('m'));
});
