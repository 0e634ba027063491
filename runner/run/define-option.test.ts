import { expect, test } from 'vitest';
import { integer, rate } from './define-option.ts';
import { shard } from './options.ts';

test.each([
  ['5/s', 5],
  ['0.5/s', 0.5],
  ['90/m', 1.5],
  ['5', undefined],
  ['0/s', undefined],
  ['0.5/m', undefined],
  ['-1/s', undefined],
  ['5/h', undefined],
  ['', undefined],
])('parses the rate "%s" as %s per second', (text, perSecond) => {
  expect(rate.parse(text)).toBe(perSecond);
});

test.each([
  ['1/1', { index: 1, of: 1 }],
  ['2/5', { index: 2, of: 5 }],
  ['0/5', undefined],
  ['6/5', undefined],
  ['2', undefined],
  ['a/b', undefined],
])('parses the shard "%s" as %j', (text, part) => {
  expect(shard.parse(text)).toEqual(part);
});

test.each([
  ['1', 1],
  ['9', 9],
  ['0', undefined],
  ['10', undefined],
  ['1.5', undefined],
  ['', undefined],
  [' 3', undefined],
  ['1e0', undefined],
])('parses "%s" as an integer from 1 to 9: %s', (text, number) => {
  expect(integer({ least: 1, most: 9 }).parse(text)).toBe(number);
});
