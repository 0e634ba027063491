import { expect, test } from 'vitest';
import { findNearestName, formatSuggestion } from './nearest.ts';

const known = ['baseUrl', 'models', 'operations', 'keys', '5'];
test.each([
  ['baseURL', 'baseUrl'],
  ['model', 'models'],
  ['opertions', 'operations'],
  ['kes', 'keys'],
  ['something-else', undefined],
  ['zzzzz', undefined],
  ['', undefined],
])('suggests for %j: %j', (name, expected) => {
  expect(findNearestName(name, known)).toBe(expected);
  expect(formatSuggestion(name, known)).toBe(expected === undefined ? '' : ` Did you mean "${expected}"?`);
});
test('suggests nothing without known names', () => {
  expect(findNearestName('a', [])).toBeUndefined();
});
test('prefers a name that begins so, also of names that can be read only once', () => {
  expect(findNearestName('auth/bad', ['auth/bed', 'auth/bad-token', 'auth/bad-bearer-token'].values())).toBe(
    'auth/bad-token',
  );
  expect(findNearestName('opertions', known.values())).toBe('operations');
});
