import { expect, test } from 'vitest';
import { explainCommand } from './explain.ts';

test('the explanation of a clause lists the requirements on the gateway and on SDKs', async () => {
  const text = await explainCommand('5 rule 1', 80);
  expect(text).toContain('auth/sdk-settings');
  expect(text).toContain('clients/call-succeeds');
});
