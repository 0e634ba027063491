import { expect, test } from 'vitest';
import { reportsError } from './events.ts';
import { someInside } from './locate.ts';
import { someText } from './match-model.ts';

const levels = 100_000;
/** More items than a call can take arguments. */
const many = 300_000;

test.each([
  ['the value itself', 7, true],
  ['a member', { a: { b: 7 } }, true],
  ['an item', [[], [1, [7]]], true],
  ['a name', { 7: 1 }, false],
  ['nothing', [null, 'seven', {}, undefined], false],
])('that %s passes is found', (_, value, expected) => {
  expect(someInside(value, (item) => item === 7)).toBe(expected);
});

test('what is deep is looked at to its end', () => {
  const deep: unknown = JSON.parse(`${'['.repeat(levels)}7${']'.repeat(levels)}`);
  expect(someInside(deep, (item) => item === 7)).toBe(true);
});

test('what is long is looked at to its end', () => {
  const long = `[7,${'0,'.repeat(many)}0]`;
  expect(someInside(JSON.parse(long), (item) => item === 7)).toBe(true);
  expect(someText(JSON.parse(long), () => true)).toBe(false);
  expect(reportsError(`data: {"code":0,"list":${long}}\n\n`)).toBe(false);
});
