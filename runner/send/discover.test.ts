import { describe, expect, test } from 'vitest';
import { loadFixtures } from '../catalog/fixtures.ts';
import { extractModelIds, selectCandidates } from './discover.ts';

test.each<[string, unknown, string[]]>([
  ['entries with ids', { object: 'list', data: [{ id: 'a', object: 'model' }, { id: 'b' }] }, ['a', 'b']],
  ['entries with names', { models: [{ name: 'models/a' }, { name: 'b' }] }, ['a', 'b']],
  ['texts', { models: ['a', 'b', 'a'] }, ['a', 'b']],
  ['a plain array', [{ model: 'a' }], ['a']],
  ['nested entries', { result: { page: { items: [{ id: 'a' }] } } }, ['a']],
  [
    'entries next to 300,000 other members',
    { ...Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`m${n}`, n])), data: [{ id: 'a' }] },
    ['a'],
  ],
  ['nothing', {}, []],
  ['a text', 'a', []],
  ['null', null, []],
])('extracts model IDs from %s', (_, value, expected) => {
  expect(extractModelIds(value)).toEqual(expected);
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
    expect(selectCandidates(operation, listed, discovery)).toEqual(expected);
  });
  test('exclude entries that stand for several models', () => {
    expect(selectCandidates('chat', ['gpt*', 'openai/*', '*', 'gpt-?', 'other'], discovery)).toEqual([
      'other',
    ]);
  });
  test('include retired models only after all others', () => {
    const ids = ['gpt-4o-mini-deprecated', 'gpt-retired', 'other', 'claude'];
    expect(selectCandidates('chat', ids, discovery)).toEqual(['other', 'claude', 'gpt-4o-mini-deprecated']);
  });
  test('are an empty list if the gateway lists no models', () => {
    expect(selectCandidates('chat', [], discovery)).toEqual([]);
  });
  test('exclude very long names, for which patterns would take quadratic time', () => {
    expect(selectCandidates('chat', [`gpt-${'/gpt-'.repeat(20_000)}`, 'a'], discovery)).toEqual(['a']);
  });
});
