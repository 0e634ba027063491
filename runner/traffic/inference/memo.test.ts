import { expect, test } from 'vitest';
import { createMemo, createNumbering } from './memo.ts';

test('returns the stored value of a key, unless the key is long or the cache was full', () => {
  const memo = createMemo<{ readonly of: string }>();
  const read = (key: string): { readonly of: string } => memo(key, () => ({ of: key }));
  const first = read('a');
  expect(read('a')).toBe(first);
  expect(read('b')).toEqual({ of: 'b' });
  const long = 'x'.repeat(1_001);
  expect(read(long)).not.toBe(read(long));
  for (let index = 0; index < 4_000; index++) read(String(index));
  expect(read('a')).not.toBe(first);
  expect(read('a')).toEqual(first);
});

test('gives 8,501 keys different numbers, even after the stored numbers were removed', () => {
  const numberOf = createNumbering();
  const first = numberOf('a');
  expect(numberOf('a')).toBe(first);
  const numbers = Array.from({ length: 8_500 }, (_, index) => numberOf(String(index)));
  expect(new Set([first, ...numbers]).size).toBe(8_501);
});
