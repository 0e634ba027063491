import { expect, test } from 'vitest';
import { createNameSource, deriveUuid } from './keys.ts';

test('the same seed and name give the same digits, and another seed or name gives other digits', () => {
  const [one, same, other] = [
    createNameSource('seed'),
    createNameSource('seed'),
    createNameSource('other seed'),
  ];
  expect(one('a')).toBe(same('a'));
  expect(new Set([one('a'), one('b'), other('a')]).size).toBe(3);
});

test('the digits are random without a seed', () => {
  expect(createNameSource()('a')).not.toBe(createNameSource()('a'));
});

test('creates UUIDs of version 4', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    expect(deriveUuid(createNameSource(), name)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
});
