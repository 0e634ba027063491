import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { budgetFor, decodingsOf } from './decodings.ts';
import { createRedact } from './redact.ts';

const key = 'sk-decodings-0123456789abcdef';
const redact = createRedact(new Map([[key, 'keys.valid']]));

test('a compression bomb is searched within the budget of the text', () => {
  const inner = deflateSync(Buffer.alloc(60_000, 'x1')).toString('base64');
  const bomb = deflateSync(Array.from({ length: 500 }, () => inner).join(' ')).toString('base64');
  const budget = budgetFor(bomb);
  const most = budget.left;
  const letters = [...decodingsOf(bomb, budget)].reduce((sum, decoded) => sum + decoded.letters.length, 0);
  expect(letters).toBeLessThanOrEqual(2 * most);
  expect(redact(bomb)).toBe(bomb);
});

test.each([
  ['without its end', gzipSync(key).subarray(0, -4).toString('base64')],
  ['after other text', `x${gzipSync(key).toString('base64')}`],
  ['in a list with a number above 255', `[300,${[...Buffer.from(key)].join(',')}]`],
  ['in a list of quoted numbers', JSON.stringify([...Buffer.from(key)].map(String))],
])('finds a key %s', (_, text) => {
  expect(redact(text)).toContain('{{keys.valid');
});
