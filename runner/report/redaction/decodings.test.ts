import { deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { budgetFor, decodingsOf } from './decodings.ts';
import { createRedact } from './redact.ts';

const key = 'sk-decodings-0123456789abcdef';
const redact = createRedact(new Map([[key, 'keys.valid']]));

test('a compression bomb is decoded up to twice the budget of the text', () => {
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

const readable = Buffer.from('secretsecretsecret').toString('base64');
/** Returns text that decodes to text in each encoding, and so uses up the budget. */
const fillerOf = (length: number): string =>
  `${'A'.repeat(8)}${readable}A${readable}A${readable}A${readable}`.padEnd(length, 'AbcdEfgh');

test('finds an encoded key after a long run that decodes to text in each encoding', () => {
  const encoded = Buffer.from(key).toString('base64');
  for (const hidden of [
    Buffer.from(encoded).toString('base64'),
    gzipSync(key).toString('base64'),
    Buffer.from(key, 'utf16le').toString('base64'),
  ])
    expect(redact(JSON.stringify({ data: fillerOf(35_000), debug: hidden }))).not.toContain(hidden);
});

test('finds a key in a run that could not be searched in an earlier text', () => {
  const bomb = deflateSync(Buffer.alloc(30_000)).toString('base64').slice(0, 36);
  const twice = Buffer.from(Buffer.from(key.slice(0, 12)).toString('base64')).toString('base64');
  const run = `${bomb}---${twice}`;
  for (let length = 20_000; length < 36_000; length += 250) redact(`${fillerOf(length)} ${run}`);
  expect(redact(run)).not.toContain(twice);
});
