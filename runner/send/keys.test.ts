import { describe, expect, test } from 'vitest';
import { placeCredential } from './credential.ts';
import { makeKeys, truncatedLength } from './keys.ts';

const valid = 'sk-AbCdEf0123456789';
const keys = makeKeys({ valid, deleted: 'sk-deleted', depleted: 'sk-depleted' });

describe('keys', () => {
  test.each([
    ['good', valid],
    ['deleted', 'sk-deleted'],
    ['depleted', 'sk-depleted'],
    ['foreign', undefined],
    ['truncated', 'sk-AbCdEf0'],
    ['extended', `${valid}x7`],
    ['suffixed', `${valid}-x7`],
    ['altered', 'sk-AbCdEf0123476789'],
    ['other-case', 'sk-aBcDeF0123456789'],
    ['prefix-less', 'AbCdEf0123456789'],
    ['empty', ''],
    ['none', undefined],
  ])('%s is %j', (kind, expected) => {
    expect(keys.value(kind)).toBe(expected);
  });
  test('an unknown one is of the usual form, and new each time', () => {
    expect(keys.value('unknown')).toMatch(/^sk-[0-9a-f]{24,}$/);
    expect(makeKeys({ valid }).value('unknown')).not.toBe(keys.value('unknown'));
  });
  test('all bad kinds differ from the good key and from each other', () => {
    const bad = [
      'unknown',
      'truncated',
      'extended',
      'suffixed',
      'altered',
      'other-case',
      'prefix-less',
      'empty',
      'deleted',
    ].map(keys.value);
    expect(new Set([valid, ...bad]).size).toBe(bad.length + 1);
  });
  test('each secret text has the role that stands for it', () => {
    expect(Object.fromEntries([...keys.secrets].map(([key, role]) => [role, key]))).toMatchObject({
      'keys.valid': valid,
      'keys.deleted': 'sk-deleted',
      'keys.valid:truncated': 'sk-AbCdEf0',
      'keys.valid:prefix-less': 'AbCdEf0123456789',
    });
    expect([...keys.secrets.keys()]).not.toContain('');
  });
  test('of one without a prefix, the prefix-less is the key itself and keeps its role', () => {
    expect(makeKeys({ valid: 'plain' }).secrets.get('plain')).toBe('keys.valid');
  });
  test('a truncated key is half of it', () => {
    expect([4, 5].map((length) => truncatedLength('x'.repeat(length)))).toEqual([2, 3]);
  });
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['bearer', { authorization: 'Bearer k/1' }, undefined],
  ['x-api-key', { 'x-api-key': 'k/1' }, undefined],
  ['x-goog-api-key', { 'x-goog-api-key': 'k/1' }, undefined],
  ['none', {}, undefined],
  ['query', {}, 'key=k%2F1'],
  ['basic', { authorization: 'Basic ay8xOg==' }, undefined],
  ['api-key', { 'api-key': 'k/1' }, undefined],
  ['token', { authorization: 'Token k/1' }, undefined],
  ['raw', { authorization: 'k/1' }, undefined],
  ['lower-case-bearer', { authorization: 'bearer k/1' }, undefined],
  ['two', { authorization: 'Bearer k/1', 'x-api-key': 'k/1' }, undefined],
])('a key at %s goes into %j', (place, headers, query) => {
  expect(placeCredential(place, 'k/1')).toEqual({ headers, query });
});
test('a place that does not exist is refused', () => {
  expect(() => placeCredential('cookie', 'k')).toThrow('There is no place "cookie"');
});
