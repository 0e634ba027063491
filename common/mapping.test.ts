import { expect, test } from 'vitest';
import { hasValueInside } from './mapping.ts';

const levels = 100_000;
/** A number that is greater than the maximum number of arguments of a call. */
const many = 300_000;

test.each([
  ['the value itself', 7, true],
  ['a member', { a: { b: 7 } }, true],
  ['an item', [[], [1, [7]]], true],
  ['a name', { 7: 1 }, false],
  ['nothing', [null, 'seven', {}, undefined], false],
])('finds the number 7 inside a value as %s: $2', (_, value, expected) => {
  expect(hasValueInside(value, (item) => item === 7)).toBe(expected);
});

test('searches a deeply nested value to its end', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(levels)}7${']'.repeat(levels)}`);
  expect(hasValueInside(deep, (item) => item === 7)).toBe(true);
});

test('searches a long value to its end', () => {
  const long: unknown = JSON.parse(`[7,${'0,'.repeat(many)}0]`);
  expect(hasValueInside(long, (item) => item === 7)).toBe(true);
});
