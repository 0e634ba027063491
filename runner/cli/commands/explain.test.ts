import { expect, test } from 'vitest';
import { explainCommand } from './explain.ts';

test('`explain` lists requirements on gateways and on SDKs for a clause', async () => {
  const text = await explainCommand('5 rule 1', 80);
  expect(text).toContain('auth/sdk-settings');
  expect(text).toContain('clients/call-succeeds');
});
