import { expect, test } from 'vitest';
import { explainCommand } from './explain.ts';

test('the explanation of a clause lists the requirements on the gateway and on SDKs', async () => {
  const text = await explainCommand('5 rule 1', { profile: undefined }, 80);
  expect(text).toContain('auth/sdk-settings');
  expect(text).toContain('clients/call-succeeds');
});

test.each([
  ['bad-key/beginning-is-enough', ['auth/bad-bearer-token', 'serve --fault bad-key/beginning-is-enough']],
  ['streams/split', ['serve --variant streams/split']],
])('the explanation of %s says how to start it', async (id, expected) => {
  const text = await explainCommand(id, { profile: undefined }, 80);
  for (const part of expected) expect(text).toContain(part);
});
