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
