import { expect, test } from 'vitest';
import { parseDuration } from './header.ts';

test.each([
  ['500ms', 500],
  ['10s', 10_000],
  ['1.5m', 90_000],
  ['0s', 0],
  ['10', undefined],
  ['s', undefined],
  ['1h', undefined],
  ['-1s', undefined],
  ['10 s', undefined],
  ['', undefined],
  ['35000m', 2_100_000_000],
  ['36000m', undefined],
])('parses %j as %j ms', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});
