import { expect, test } from 'vitest';
import { toComparableText, truncate } from './locate.ts';

const text = (length: number): string => 'x'.repeat(length);
/** Creates a list whose JSON has so many characters. */
const listOf = (length: number): string[] => [text(length - 4)];

test.each([7, true, null, undefined, '', text(500), {}, { a: [1] }, listOf(500)].map((value) => ({ value })))(
  'what is small is itself: $value',
  ({ value }) => {
    expect(truncate(value)).toBe(value);
  },
);

test.each([
  ['text', text(4001), text(4000)],
  ['list', listOf(501), `["${text(497)}"]`],
  ['longer list', listOf(4001), `["${text(3997)}"`],
])('of a long %s there is more of the beginning than reports show', (_, value, expected) => {
  expect(truncate(value)).toBe(expected);
});

test('a value that is nested too deep for JSON is reported as such', () => {
  const value: unknown[] = [];
  value.push(value);
  expect(truncate(value)).toMatch(/^\(nested too deep to be shown\) +$/);
});

test.each([
  [{ a: 1 }, '{"a":1}'],
  ['a', '"a"'],
  [undefined, 'undefined'],
])('the text of %j differs from others', (value, expected) => {
  expect(toComparableText(value)).toBe(expected);
});
