import { expect, test } from 'vitest';
import { bufferBody } from './receive.ts';

test.each([
  ['nothing', [], 4, '', true],
  ['what fits', ['ab', 'cd'], 4, 'abcd', true],
  ['the beginning of what does not', ['ab', 'cde', 'f'], 4, 'abcd', false],
  ['nothing where there is no room', ['ab'], 0, '', false],
  [
    'thousands of pieces, in their order',
    [...'0123456789'.repeat(500)],
    5_000,
    '0123456789'.repeat(500),
    true,
  ],
  [
    'of such, too, no more than fits',
    [...'0123456789'.repeat(500)],
    4_321,
    '0123456789'.repeat(433).slice(0, 4_321),
    false,
  ],
])('keeps %s', (_, given, limit, kept, whole) => {
  const body = bufferBody(limit);
  for (const piece of given) body.add(Buffer.from(piece));
  expect(body.kept().toString()).toBe(kept);
  expect(body.isWhole()).toBe(whole);
  expect(body.seen()).toEqual({ pieces: given.length, bytes: given.join('').length });
});
