import { describe, expect, test } from 'vitest';
import { readDataFile } from '../../common/data-file.ts';
import { readAttributes } from '../catalog/attributes.ts';
import { deriveKeys, placeCredential } from './keys.ts';

const valid = 'sk-AbCdEf0123456789';
const keys = deriveKeys({ valid, deleted: 'sk-deleted', depleted: 'sk-depleted' });

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
    ['altered-start', 'sk-7bCdEf0123456789'],
    ['altered-end', 'sk-AbCdEf0123456787'],
    ['shortened', 'sk-AbCdEf012345678'],
    ['swapped', 'sk-AbCdEf1023456789'],
    ['other-prefix', 'pk-AbCdEf0123456789'],
    ['word', 'constructor'],
    ['undefined', 'undefined'],
    ['null', 'null'],
    ['none-word', 'None'],
    ['prefix-only', 'sk-'],
    ['quoted', '"sk-AbCdEf0123456789"'],
    ['non-ascii', 'sk-AbCdEf0123456789\u00e9'],
    ['with-scheme', 'Bearer sk-AbCdEf0123456789'],
    ['followed', 'sk-AbCdEf0123456789 x7'],
    ['listed', 'sk-AbCdEf0123456789,x7'],
    ['other-case', 'sk-aBcDeF0123456789'],
    ['prefix-less', 'AbCdEf0123456789'],
    ['empty', ''],
    ['none', undefined],
  ])('%s is %j', (kind, expected) => {
    expect(keys.value(kind)).toBe(expected);
  });
  test('an unknown key has the usual form and is new each time', () => {
    expect(keys.value('unknown')).toMatch(/^sk-[0-9a-f]{24,}$/);
    expect(deriveKeys({ valid }).value('unknown')).not.toBe(keys.value('unknown'));
  });
  test('a key in another form has this form, and a long key is new each time', () => {
    expect(keys.value('jwt')).toMatch(/^eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43}$/);
    expect(keys.value('other-vendor')).toMatch(/^sk-ant-api03-[\w-]{93}-AA$/);
    expect(keys.value('long')).toMatch(/^sk-[0-9a-f]{197}$/);
    expect(deriveKeys({ valid }).value('long')).not.toBe(keys.value('long'));
  });
  test('all wrong keys differ from the valid key and from each other', () => {
    const wrong = readAttributes(readDataFile('specs/attributes.yaml')).valuesOf('key', 'wrong');
    const bad = [...wrong, 'deleted', 'empty'].map(keys.value);
    expect(new Set([valid, ...bad]).size).toBe(bad.length + 1);
  });
  test('the secrets are keys with their roles, and the empty key is not a secret', () => {
    expect(Object.fromEntries([...keys.secrets].map(([key, role]) => [role, key]))).toMatchObject({
      'keys.valid': valid,
      'keys.deleted': 'sk-deleted',
      'keys.valid:truncated': 'sk-AbCdEf0',
      'keys.valid:prefix-less': 'AbCdEf0123456789',
    });
    expect([...keys.secrets.keys()]).not.toContain('');
    // Reports show such a key as the role of the valid key with the additional text.
    const roles = [...keys.secrets.values()];
    expect(roles).not.toContain('keys.valid:followed');
    expect(roles).not.toContain('keys.valid:listed');
  });
  test('a key without a prefix is its own prefix-less form and keeps its role', () => {
    expect(deriveKeys({ valid: 'plain' }).secrets.get('plain')).toBe('keys.valid');
  });
  test('an altered key differs from the other keys of the profile', () => {
    const others = { valid: 'sk-key-1', deleted: 'sk-key-7', depleted: 'sk-key-3' };
    expect(deriveKeys(others).value('altered-end')).toBe('sk-key-5');
  });
  test.each([
    ['sk-aaaabbbb1111', 'sk-aaaabbb1b111'],
    ['sk-0123aaaaaaaaa', undefined],
    ['sk-0000aaaab', 'sk-000a0aaab'],
  ])('swaps %s to %j', (key, expected) => {
    expect(deriveKeys({ valid: key }).value('swapped')).toBe(expected);
  });
  test.each(['constructor', 'undefined', 'null', 'sk-'])('the word %s is not a secret', (word) => {
    expect([...keys.secrets.keys()]).not.toContain(word);
  });
  test('a key with a scheme, a space or a letter beyond ASCII is not a secret of its own', () => {
    expect([...keys.secrets.keys()].filter((key) => /^Bearer| |\u00e9/.test(key))).toEqual([]);
  });
  test('a truncated key has half the length, rounded up', () => {
    const truncated = ['x1y2', 'x1y2z'].map((key) => deriveKeys({ valid: key }).value('truncated'));
    expect(truncated).toEqual(['x1', 'x1y']);
  });
});

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['bearer', { authorization: 'Bearer k/1' }, undefined],
  ['x-api-key', { 'x-api-key': 'k/1' }, undefined],
  ['x-goog-api-key', { 'x-goog-api-key': 'k/1' }, undefined],
  ['none', {}, undefined],
  ['query', {}, 'key=k%2F1'],
  ['query-api-key', {}, 'api_key=k%2F1'],
  ['query-access-token', {}, 'access_token=k%2F1'],
  ['query-apikey', {}, 'apikey=k%2F1'],
  ['query-hyphenated', {}, 'api-key=k%2F1'],
  ['query-token', {}, 'token=k%2F1'],
  ['query-camel-case', {}, 'apiKey=k%2F1'],
  ['query-subscription-key', {}, 'subscription-key=k%2F1'],
  ['query-x-api-key', {}, 'x-api-key=k%2F1'],
  ['x-gravitee-api-key', { 'x-gravitee-api-key': 'k/1' }, undefined],
  ['x-auth-token', { 'x-auth-token': 'k/1' }, undefined],
  ['helicone-auth', { 'helicone-auth': 'Bearer k/1' }, undefined],
  ['subscription-key', { 'ocp-apim-subscription-key': 'k/1' }, undefined],
  ['cf-aig-authorization', { 'cf-aig-authorization': 'Bearer k/1' }, undefined],
  ['websocket-protocol', { 'sec-websocket-protocol': 'realtime, openai-insecure-api-key.k/1' }, undefined],
  ['cookie-session', { cookie: 'session=k/1' }, undefined],
  ['basic-password', { authorization: 'Basic dXNlcjprLzE=' }, undefined],
  ['basic-plain', { authorization: 'Basic k/1' }, undefined],
  ['api-key-scheme', { authorization: 'ApiKey k/1' }, undefined],
  ['basic', { authorization: 'Basic ay8xOg==' }, undefined],
  ['api-key', { 'api-key': 'k/1' }, undefined],
  ['token', { authorization: 'Token k/1' }, undefined],
  ['raw', { authorization: 'k/1' }, undefined],
  ['lower-case-bearer', { authorization: 'bearer k/1' }, undefined],
  ['two', { authorization: 'Bearer k/1', 'x-api-key': 'k/1' }, undefined],
])('a key at the place %s has the headers %j and the query %j', (place, headers, query) => {
  expect(placeCredential(place, 'k/1')).toEqual({ headers, query });
});
test('a key can be sent in members of the body', () => {
  expect(placeCredential('body-member', 'k')).toMatchObject({ headers: {}, members: { api_key: 'k' } });
});
test('throws for an unknown place', () => {
  expect(() => placeCredential('pocket', 'k')).toThrow('Unknown value of the attribute "header": "pocket"');
});
