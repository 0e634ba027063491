import { describe, expect, test } from 'vitest';
import { classifyKeyText, describeChange, isSimilarKey, type KnownKey } from './classify-key.ts';

const random = 'sk-9fK2mQ7xW4vL8nB3tR6yZ1';

describe('describeChange', () => {
  test.each([
    ['truncated', random.slice(0, 12)],
    ['truncated', random.slice(0, -1)],
    ['extended', `${random}x7`],
    ['altered', random.replace('W4', 'W5')],
    ['altered', random.replace('mQ', 'Qm')],
    ['other-case', random.toUpperCase().replace('SK', 'sk')],
    ['prefix-less', random.slice(3)],
    ['with-scheme', `Bearer ${random}`],
    ['followed', `${random} x7`],
    ['listed', `${random},x7`],
    ['non-ascii', `${random}é`],
    ['quoted', `"${random}"`],
    ['unknown', `{"key":"${random}"}`],
  ])('describes %s', (kind, text) => {
    expect(describeChange(text, { text: random })).toBe(kind);
  });

  test.each([
    ['another key', 'sk-7pT1cN5dX9eM2hJ6kV0sF4', random],
    ['a key with another number at its end', `${random}-2`, `${random}-1`],
    [
      'a neighbour of a key that a person made up',
      'sk-client-0123456789abcdee',
      'sk-client-0123456789abcdef',
    ],
    ['a neighbour of a short key', 'sk-a8b', 'sk-a7b'],
    ['a much longer key', `${random}-production`, random],
    ['a neighbour with another name', 'sk-worker2-production-eu', 'sk-worker1-production-eu'],
    ['a neighbour with another suffix', `${random}-b`, `${random}-a`],
    ['a key with a suffix of its own', `${random}:42`, random],
    ['a neighbour with another number in words', 'Worker2Production', 'Worker1Production'],
    ['a key with a number at its end', `${random}2`, random],
  ])('classifies %s as another key', (_, text, key) => {
    expect(describeChange(text, { text: key })).toBeUndefined();
  });
});

describe('a long key that a person made up', () => {
  const long = 'sk-Team-0123456789abcdefghijKLMNOP';
  test.each([
    ['truncated', long.slice(0, -2)],
    ['altered', long.replace('c', 'x')],
    ['other-case', long.toLowerCase()],
    [undefined, `${long.slice(0, -1)}Q`],
    [undefined, long.replace('Team', 'Meat')],
  ])('has a changed text that is classified as %s', (kind, text) => {
    expect(describeChange(text, { text: long })).toBe(kind);
  });
});

describe('isSimilarKey', () => {
  const changed = random.replace('W4', 'W5');
  test.each([
    ['changed in another place', random.replace('nB', 'nC')],
    ['of another case', random.toLowerCase()],
    ['that misses a letter', random.replace('L8', 'L')],
    ['without the prefix', random.slice(3)],
  ])('recognizes a copy %s', (_, text) => {
    expect(isSimilarKey(text, changed)).toBe(true);
    expect(isSimilarKey(changed, text)).toBe(true);
  });
  test.each([
    ['another random key', 'sk-7pT1cN5dX9eM2hJ6kV0sF4', changed],
    ['a copy with three changes', random.replace('L8n', 'M9o'), random],
    ['the keys of two workers', 'sk-worker1-a', 'sk-worker2-b'],
    ['the same key', random, random],
  ])('does not count %s', (_, one, other) => {
    expect(isSimilarKey(one, other)).toBe(false);
  });
});

describe('classifyKeyText', () => {
  const used = (text: string, successes: number): KnownKey => ({
    text,
    kind: 'good',
    successes,
    isStated: false,
  });
  const changed = random.replace('W4', 'W5');

  test('counts the more frequently accepted text of two similar texts as the key', () => {
    const known = [used(changed, 1), used(random, 5)];
    expect(classifyKeyText(random, known)).toBe('good');
    expect(classifyKeyText(changed, known)).toBe('altered');
  });
  test('counts the first text as the key if both texts were accepted equally often', () => {
    const known = [used(changed, 2), used(random, 2)];
    expect(classifyKeyText(changed, known)).toBe('good');
    expect(classifyKeyText(random, known)).toBe('altered');
  });
  test('counts a similar text that was accepted 5 times as another key, unless the profile states a key', () => {
    const stated = { ...used(random, 9), isStated: true };
    expect(classifyKeyText(changed, [used(changed, 5), used(random, 9)])).toBe('good');
    expect(classifyKeyText(changed, [used(changed, 4), used(random, 9)])).toBe('altered');
    expect(classifyKeyText(changed, [used(changed, 5), { ...stated, successes: Infinity }])).toBe('altered');
  });
  test('does not classify a text that differs from the known keys', () => {
    expect(classifyKeyText('sk-7pT1cN5dX9eM2hJ6kV0sF4', [used(random, 5)])).toBeUndefined();
  });
});
