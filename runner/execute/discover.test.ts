import { describe, expect, test } from 'vitest';
import { loadFixtures } from '../catalog/fixtures.ts';
import { candidates, listedModels } from './discover.ts';

test.each<[string, unknown, string[]]>([
  ['entries with ids', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }, ['a', 'b']],
  ['entries with names', { models: [{ name: 'models/a' }, { name: 'b' }] }, ['a', 'b']],
  ['texts', { models: ['a', 'b', 'a'] }, ['a', 'b']],
  ['a bare list', [{ model: 'a' }], ['a']],
  ['entries deep inside', { result: { page: { items: [{ id: 'a' }] } } }, ['a']],
  [
    'entries beside more members than a call can take',
    { ...Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`m${n}`, n])), data: [{ id: 'a' }] },
    ['a'],
  ],
  ['nothing', {}, []],
  ['no JSON object', 'a', []],
  ['null', null, []],
])('models are listed as %s', (_, value, expected) => {
  expect(listedModels(value)).toEqual(expected);
});

describe('the models to try', () => {
  const { discovery } = loadFixtures();
  const listed = [
    'text-embedding-3',
    'claude-opus',
    'gpt-4o',
    'gpt-4o-mini',
    'vendor/gpt-5-nano',
    'gemini-pro',
    'gemini-flash',
    'claude-haiku',
    'tts-1',
    'other',
  ];
  test.each([
    ['chat', ['gpt-4o-mini', 'vendor/gpt-5-nano', 'gpt-4o']],
    ['messages', ['claude-haiku', 'claude-opus', 'gpt-4o']],
    ['generate', ['gemini-flash', 'gemini-pro', 'claude-opus']],
    ['unknown', []],
  ])('for %s are %j', (operation, expected) => {
    expect(candidates(operation, listed, discovery)).toEqual(expected);
  });
  test('are none where none is listed', () => {
    expect(candidates('chat', [], discovery)).toEqual([]);
  });
  test('are none of those whose name is longer than any, since patterns would take quadratic time for them', () => {
    expect(candidates('chat', [`gpt-${'/gpt-'.repeat(20_000)}`, 'a'], discovery)).toEqual(['a']);
  });
});
