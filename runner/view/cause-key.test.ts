import { expect, test } from 'vitest';
import { isBadCredential, isUnauthorized, type Subject, subjectOf } from '../judge/subject.ts';

const plain = { header: 'bearer', key: 'good', accepted: 'true', surface: 'model', request: 'valid' };

test.each<[Subject, Record<string, string>]>([
  ['valid-request', {}],
  ['no-credential', { header: 'none', key: 'none', accepted: 'false' }],
  ['no-credential', { header: 'none', fault: 'unparseable', request: 'invalid' }],
  ['empty-key', { key: 'empty' }],
  ['wrong-key', { key: 'unknown' }],
  ['wrong-key', { header: 'x-goog-api-key', key: 'prefix-less' }],
  ['deleted-key', { key: 'deleted' }],
  ['misplaced-key', { header: 'query' }],
  ['misplaced-key', { header: 'api-key' }],
  ['misplaced-key', { header: 'x-goog-api-key', accepted: 'false' }],
  ['valid-request', { header: 'x-goog-api-key', accepted: 'true' }],
  ['malformed-credential', { header: 'basic', accepted: 'false' }],
  ['malformed-credential', { header: 'raw', accepted: 'false' }],
  ['depleted-account', { key: 'depleted' }],
  ['valid-request', { key: 'depleted', surface: 'list' }],
  ['foreign-record', { record: 'foreign' }],
  ['foreign-record', { record: 'own', key: 'foreign' }],
  ['valid-request', { record: 'own' }],
  ['absent-record', { record: 'random' }],
  ['invalid-record', { record: 'word', request: 'invalid' }],
  ['not-json', { fault: 'unparseable', request: 'invalid' }],
  ['not-json', { fault: 'empty-body', request: 'invalid' }],
  ['invalid-body', { fault: 'missing', request: 'invalid' }],
  ['image', { fault: 'image', model: 'text-only', request: 'invalid' }],
  ['unlisted-model', { model: 'unlisted', request: 'invalid' }],
  ['mismatched-model', { model: 'mismatched', request: 'invalid' }],
  ['invalid-range', { range: 'reversed', request: 'invalid' }],
  ['wrong-method', { method: 'PATCH', request: 'invalid' }],
  ['unknown-path', { path: 'unknown', request: 'invalid' }],
  ['unknown', { request: 'invalid' }],
])('%s: %j', (subject, attributes) => {
  expect(subjectOf({ ...plain, ...attributes })).toBe(subject);
});

test('the subject of a request without attributes is unknown', () => {
  expect(subjectOf({})).toBe('unknown');
  expect(subjectOf({ fault: 'constructor', model: '__proto__' })).toBe('unknown');
});

test('a model call of a depleted account is unauthorized, although its credential is valid', () => {
  expect([isBadCredential('depleted-account'), isUnauthorized('depleted-account')]).toEqual([false, true]);
  expect([isBadCredential('wrong-key'), isUnauthorized('wrong-key')]).toEqual([true, true]);
  expect([isBadCredential('not-json'), isUnauthorized('not-json')]).toEqual([false, false]);
});
