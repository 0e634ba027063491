import { expect, test } from 'vitest';
import { createNameSource, uniqueUuid } from './unique-name.ts';

test('what is drawn of one seed is the same for the same name, and another for another name or seed', () => {
  const [one, same, other] = [
    createNameSource('seed'),
    createNameSource('seed'),
    createNameSource('other seed'),
  ];
  expect(one('a')).toBe(same('a'));
  expect(new Set([one('a'), one('b'), other('a')]).size).toBe(3);
});

test('without a seed nobody can tell what is drawn', () => {
  expect(createNameSource()('a')).not.toBe(createNameSource()('a'));
});

test('a drawn UUID is one of version 4', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
    expect(uniqueUuid(createNameSource(), name)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
});
