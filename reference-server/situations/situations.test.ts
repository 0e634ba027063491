import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer, type Situation } from '../index.ts';

let gateway: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer();
});
beforeEach(() => gateway.reset());
afterAll(() => gateway.close());

const messages = [{ role: 'user' as const, content: 'hi' }];
const call = { model: 'gpt-reference', messages };
const client = (apiKey = gateway.profile.keys.valid): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

/** Returns the status of a chat call; for an error without a status, its name or text. */
async function statusOf(made: Promise<unknown>): Promise<unknown> {
  return made.then(
    () => 200,
    (error: unknown) => (error instanceof OpenAI.APIError ? (error.status ?? error.name) : String(error)),
  );
}

async function readStream(): Promise<number> {
  let count = 0;
  for await (const _ of await client().chat.completions.create({ ...call, stream: true })) count += 1;
  return count;
}

describe('a situation', () => {
  test.each<[string, Situation, number]>([
    ['insufficient_balance', { error: 'insufficient_balance' }, 400],
    ['missing_auth_credential', { error: 'missing_auth_credential' }, 401],
    ['a seeded fault', { fault: 'bad-key/deleted-works' }, 200],
  ])('applies to one request with `times: 1`: %s', async (_, situation, status) => {
    gateway.situations.add({ ...situation, times: 1 });
    expect(await statusOf(client().chat.completions.create(call))).toBe(status);
    expect(gateway.situations.list()).toMatchObject([{ used: 1 }]);
    expect(await statusOf(client().chat.completions.create(call))).toBe(200);
  });
  test('lasts until the situation is switched off', async () => {
    const { id } = gateway.situations.add({ fault: 'bad-key/deleted-works' });
    const deleted = client(gateway.profile.keys.deleted);
    for (const _ of [1, 2, 3]) expect(await statusOf(deleted.chat.completions.create(call))).toBe(200);
    gateway.situations.remove(id);
    expect(await statusOf(deleted.chat.completions.create(call))).toBe(401);
  });
  test('with a fault that changes the valid key does not restore another key that was deleted', async () => {
    gateway.situations.add({ fault: 'bad-key/valid-key-without-prefix' });
    const models = client(gateway.profile.keys.depleted).models;
    expect(await statusOf(models.list())).toBe(200);
    gateway.keys.delete('depleted');
    expect(await statusOf(models.list())).toBe(401);
  });
  test('has Retry-After for a code of section 7.2, on billing-type endpoints only', async () => {
    gateway.situations.add({ error: 'rate_limit_exceeded', retryAfter: 7 });
    expect(await statusOf(client().chat.completions.create(call))).toBe(200);
    const headers = { authorization: `Bearer ${gateway.profile.keys.valid}` };
    const answer = await fetch(`${gateway.url}/v1/billing/balance`, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  });
  test('delays responses', async () => {
    gateway.situations.add({ latency: '300ms', operation: 'chat' });
    const start = performance.now();
    await client().chat.completions.create(call);
    expect(performance.now() - start).toBeGreaterThan(290);
  });
  test('breaks a stream after some chunks', async () => {
    gateway.situations.add({ breakStream: 2 });
    await expect(readStream()).rejects.toThrow();
  });
  test('sends an error inside a stream', async () => {
    gateway.situations.add({ streamError: 'insufficient_balance', afterChunks: 2 });
    await expect(readStream()).rejects.toMatchObject({ type: 'insufficient_balance' });
  });
  test('can be a variant with other models, in which new keys stay valid', async () => {
    const { value } = gateway.keys.create();
    gateway.situations.add({ variant: 'models/ids-with-slash-and-colon' });
    const model = 'vendor/gpt-reference:free';
    expect(await statusOf(client(value).chat.completions.create({ ...call, model }))).toBe(200);
    expect(await statusOf(client(value).chat.completions.create(call))).toBe(400);
  });
  test.each<[string, object, RegExp]>([
    ['two situations in one', { error: 'invalid_api_key', latency: '1s' }, /exactly one of error, latency/],
    ['an unknown fault', { fault: 'none' }, /no fault has the ID "none"/],
    ['a time without a unit', { latency: '3' }, /latency/],
    ['an unknown member', { latency: '1s', colour: 3 }, /`colour` must be omitted/],
    ['a mistyped member', { latency: '1s', time: 3 }, /`time` must be named `times`/],
    [
      'a code of billing-type endpoints on another operation',
      { error: 'rate_limit_exceeded', operation: 'chat' },
      /"rate_limit_exceeded" is a code of billing-type endpoints, which `chat` never returns/,
    ],
    [
      'a type of model endpoints on a billing-type endpoint',
      { error: 'insufficient_balance', operation: 'balance' },
      /"insufficient_balance" is a type of model endpoints, which `balance` never returns/,
    ],
    ['only `times`', { times: 3 }, /exactly one of error, latency/],
  ])('is refused: %s', (_, situation, message) => {
    // A caller in JavaScript can pass any value.
    expect(() => Reflect.apply(gateway.situations.add, undefined, [situation])).toThrow(message);
    expect(gateway.situations.list()).toEqual([]);
  });
});
