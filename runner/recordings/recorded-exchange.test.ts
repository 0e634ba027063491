import { expect, test } from 'vitest';
import { makeNumbers, makeRemember } from './recorded-exchange.ts';

test('what was made for a name is given again, and of many or long names not all are kept', () => {
  const remember = makeRemember<{ readonly of: string }>();
  const ask = (name: string): { readonly of: string } => remember(name, () => ({ of: name }));
  const first = ask('a');
  expect(ask('a')).toBe(first);
  expect(ask('b')).toEqual({ of: 'b' });
  const long = 'x'.repeat(1_001);
  expect(ask(long)).not.toBe(ask(long));
  for (let index = 0; index < 1_000; index++) ask(String(index));
  expect(ask('a')).not.toBe(first);
  expect(ask('a')).toEqual(first);
});

test('a name keeps its number, and no other name has it, even where all was forgotten', () => {
  const numberOf = makeNumbers();
  const first = numberOf('a');
  expect(numberOf('a')).toBe(first);
  const numbers = Array.from({ length: 2_500 }, (_, index) => numberOf(String(index)));
  expect(new Set([first, ...numbers]).size).toBe(2_501);
});
