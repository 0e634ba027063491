import { describe, expect, test } from 'vitest';
import { clip, columnsOf, padTo, wrapCharacters, wrapWords } from './wrap.ts';

const chinese = '当前分组下无可用渠道';

test.each([
  ['abc', 3],
  [chinese, 20],
  ['\u001b[31m✗\u001b[39m', 1],
  ['e\u0301', 1],
])('%j has %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

describe('characters of two columns', () => {
  const long = Array.from({ length: 6 }, () => chinese).join(' ');
  test('are wrapped within the width, after a prefix', () => {
    for (const lines of [
      wrapWords({ width: 40 }, '  → ', long),
      wrapCharacters({ width: 40 }, `当前  `, long),
    ]) {
      expect(lines.length).toBeGreaterThan(3);
      expect(Math.max(...lines.map(columnsOf))).toBeLessThanOrEqual(40);
    }
  });

  test('are padded and clipped by columns', () => {
    expect(padTo('当前', 6)).toBe('当前  ');
    expect(padTo('当前', 3)).toBe('当前');
    expect(clip(chinese, 9)).toBe('当前分组…');
    expect(clip(chinese, 20)).toBe(chinese);
    expect(clip('abcdef', 4)).toBe('abc…');
  });
});

test('escapes of invisible characters stay within the columns', () => {
  expect(clip('a\u202eb\u001b[2J', 40)).toBe('a\\u202eb\\u001b[2J');
  expect(columnsOf(clip(`${chinese}\u202e${chinese}`, 24))).toBeLessThanOrEqual(24);
});
