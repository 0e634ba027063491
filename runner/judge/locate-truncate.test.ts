import { expect, test } from 'vitest';
import { toComparableText, truncate } from './locate.ts';

const text = (length: number): string => 'x'.repeat(length);
/** Creates a list whose JSON has `length` characters. */
const listOf = (length: number): string[] => [text(length - 4)];

test.each([7, true, null, undefined, '', text(500), {}, { a: [1] }, listOf(500)].map((value) => ({ value })))(
  'returns a small value unchanged: $value',
  ({ value }) => {
    expect(truncate(value)).toBe(value);
  },
);

test.each([
  ['text', text(4001), text(4000)],
  ['list', listOf(501), `["${text(497)}"]`],
  ['longer list', listOf(4001), `["${text(3997)}"`],
])('keeps a longer beginning of a %s than reports show', (_, value, expected) => {
  expect(truncate(value)).toBe(expected);
});

test('replaces a value that is nested too deep for JSON with a note', () => {
  const value: unknown[] = [];
  value.push(value);
  expect(truncate(value)).toMatch(/^\(nested too deep to be shown\) +$/);
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['a', '"a"'],
  [undefined, 'undefined'],
])('converts %j to an unambiguous text', (value, expected) => {
  expect(toComparableText(value)).toBe(expected);
});
