import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readScenarios } from '../catalog/scenarios.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { expandAxes, listCandidates } from './expand-axes.ts';

const catalog = await catalogOfPackage();
function expand(scenario: string): [string, Readonly<Record<string, string>>][] {
  const file = parseDataFile('s.yaml', `about: S\nscenarios: [{ id: a, about: A., ${scenario} }]`);
  const [read] = readScenarios('s', file, catalog.schemas, catalog.attributes);
  if (!read) throw new Error('no scenario');
  return expandAxes(read, catalog).map(({ names, attributes }) => [names.join('/'), attributes]);
}

test('returns one point without axes', () => {
  expect(expand('times: 1')).toEqual([['', {}]]);
});
test('varies the last axis fastest, and names every axis', () => {
  expect(expand('each: { operation: [chat, models], header: [bearer], key: [good, deleted] }')).toEqual([
    ['operation=chat/header=bearer/key=good', { operation: 'chat', header: 'bearer', key: 'good' }],
    ['operation=chat/header=bearer/key=deleted', { operation: 'chat', header: 'bearer', key: 'deleted' }],
    ['operation=models/header=bearer/key=good', { operation: 'models', header: 'bearer', key: 'good' }],
    ['operation=models/header=bearer/key=deleted', { operation: 'models', header: 'bearer', key: 'deleted' }],
  ]);
});
test('sets the attributes of each name for an axis of names', () => {
  expect(
    expand('each: { problem: { a: { fault: missing, member: model }, b: { model: unlisted } } }'),
  ).toEqual([
    ['problem=a', { fault: 'missing', member: 'model' }],
    ['problem=b', { model: 'unlisted' }],
  ]);
});
test('adds points for derived faults, with their attributes', () => {
  const points = expand(
    'each: { operation: [responses] }, derive: { schema: responses-request, from: [responses] }',
  );
  expect(points[0]).toEqual([
    'operation=responses/place=model/fault=missing/given=nothing',
    {
      operation: 'responses',
      place: 'model',
      member: 'model',
      fault: 'missing',
      given: 'nothing',
      body: 'responses',
    },
  ]);
  expect(points.length).toBeGreaterThan(10);
});
test('derives a fault that several bodies share from the first body', () => {
  const points = expand('derive: { schema: chat-request, from: [chat, chat-conversation] }');
  expect(new Set(points.map(([name]) => name)).size).toBe(points.length);
  const bodies = (place: string) =>
    new Set(
      points.filter(([, attributes]) => attributes.place === place).map(([, attributes]) => attributes.body),
    );
  expect([...bodies('model')]).toEqual(['chat']);
  expect([...bodies('messages[2].role')]).toEqual(['chat-conversation']);
});
test('omits excepted points, but not other points of the same member', () => {
  const points = expand(
    "derive: { schema: chat-request, from: [chat], except: [{ member: 'messages[].content', given: ['null', array] }] }",
  );
  const given = points
    .filter(([, attributes]) => attributes.member === 'messages[].content')
    .map(([, attributes]) => attributes.given);
  expect(given).toEqual(['nothing', 'number', 'boolean', 'object']);
});

test('a default run has the listed cases, and all cases with a value that the list does not know', () => {
  const file = parseDataFile(
    's.yaml',
    'about: S\nscenarios: [{ id: a, about: A., each: { operation: [chat, models], key: [good, deleted, unknown], streamed: [false] }, combine: [[operation, key, streamed]] }]',
  );
  const listed = { 's/a': ['operation=chat/key=good', 'operation=models/key=deleted'] };
  const [scenario] = readScenarios('s', file, catalog.schemas, catalog.attributes, listed);
  if (!scenario) throw new Error('no scenario');
  const promise = createPromise(catalog, createEverythingProfile(catalog));
  const candidates = listCandidates(scenario, promise, { onlyDefault: true });
  expect(candidates.map(({ id }) => id)).toEqual([
    's/a/operation=chat/key=good',
    's/a/operation=chat/key=unknown',
    's/a/operation=models/key=deleted',
    's/a/operation=models/key=unknown',
  ]);
});
