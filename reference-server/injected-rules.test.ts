import { afterEach, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer, type ReferenceServerOptions } from './index.ts';

let server: ReferenceServer | undefined;
afterEach(() => server?.close());

/** Starts a server with these options, and returns a function that calls the server. */
async function start(
  options: Pick<ReferenceServerOptions, 'latencyMs' | 'breakStream' | 'throttle' | 'rules'>,
) {
  const started = await createReferenceServer(options);
  server = started;
  const { url, profile } = started;
  return async (operation: 'chat' | 'responses' | 'models' | 'balance' | 'nowhere', stream = false) => {
    const paths = {
      chat: '/v1/chat/completions',
      responses: '/v1/responses',
      models: '/v1/models',
      balance: '/v1/billing/balance',
      nowhere: '/nowhere',
    };
    const body = JSON.stringify({ model: 'gpt-reference', messages: [], input: 'hi', stream });
    const isCall = operation === 'chat' || operation === 'responses';
    const began = performance.now();
    const response = await fetch(url + paths[operation], {
      headers: { 'x-api-key': profile.keys.valid },
      ...(isCall && { method: 'POST', body }),
    });
    const waited = performance.now() - began;
    const { status } = response;
    const text = await response.text().catch(() => 'broken');
    return { status, text, waited, retryAfter: response.headers.get('retry-after') };
  };
}

test('latencyMs delays successful, streamed and error responses', async () => {
  const call = await start({ latencyMs: 80 });
  const answers = await Promise.all([call('chat'), call('models'), call('nowhere'), call('chat', true)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 200]);
  // A timer may be a millisecond early.
  for (const { waited } of answers) expect(waited).toBeGreaterThan(78);
});

test('breakStream breaks only streams', async () => {
  const call = await start({ breakStream: 2 });
  expect((await call('chat', true)).text).toBe('broken');
  expect((await call('responses', true)).text).toBe('broken');
  expect((await call('chat')).text).toContain('chat.completion');
  expect((await call('models')).text).toContain('gpt-reference');
});

test('throttle refuses the first requests of an operation with 429 in the error form of the operation', async () => {
  const call = await start({ throttle: 2 });
  const statuses: number[] = [];
  for (const operation of ['chat', 'models', 'chat', 'chat', 'responses', 'models', 'models'] as const)
    statuses.push((await call(operation)).status);
  expect(statuses).toEqual([429, 429, 429, 200, 429, 429, 200]);
  const { text, retryAfter } = await call('balance');
  expect([Object.keys(JSON.parse(text).error), retryAfter]).toEqual([['code', 'message'], '1']);
  expect((await call('nowhere')).status).toBe(404);
});

test('rules apply before throttle, and reset() restarts both', async () => {
  const call = await start({
    throttle: 1,
    rules: [{ match: { times: 1 }, change: { answer: { status: 418 } } }],
  });
  const three = async () => [await call('chat'), await call('chat'), await call('chat')];
  expect((await three()).map(({ status }) => status)).toEqual([418, 429, 200]);
  server?.reset();
  expect((await three()).map(({ status }) => status)).toEqual([418, 429, 200]);
});
