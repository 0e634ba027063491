import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer, type Situation } from '../index.ts';
import { isUsedUp } from './situation.ts';

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
    ['a refusal', { match: { times: 1 }, change: { refuse: 'low-balance' } }, 400],
    ['a status', { match: { operation: 'chat', times: 1 }, change: { answer: { status: 418 } } }, 418],
    ['a seeded fault', { fault: 'bad-key/deleted-works', times: 1 }, 200],
  ])('applies to one request with `times: 1`: %s', async (_, situation, status) => {
    gateway.situations.add(situation);
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
  test('can have Retry-After, and apply to one kind of endpoint', async () => {
    gateway.situations.add({
      match: { surface: 'billing' },
      change: { refuse: 'too-frequent', headers: { 'retry-after': 7 } },
    });
    expect(await statusOf(client().chat.completions.create(call))).toBe(200);
    const headers = { authorization: `Bearer ${gateway.profile.keys.valid}` };
    const answer = await fetch(`${gateway.url}/v1/billing/balance`, { headers });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
  });
  test('delays responses', async () => {
    gateway.situations.add({ match: { operation: 'chat' }, change: { after: '300ms' } });
    const start = performance.now();
    await client().chat.completions.create(call);
    expect(performance.now() - start).toBeGreaterThan(290);
  });
  test('breaks a stream after some chunks', async () => {
    gateway.situations.add({ match: { streamed: true, refused: false }, change: { cut: 2 } });
    await expect(readStream()).rejects.toThrow();
  });
  test('sends an error inside a stream', async () => {
    gateway.situations.add({ change: { error: { reason: 'low-balance', after: 2 } } });
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
    [
      'a rule with a fault',
      { change: { refuse: 'bad-key' }, fault: 'x' },
      /exactly one of change, fault, variant/,
    ],
    ['an unknown fault', { fault: 'none' }, /no fault has the ID "none"/],
    ['a time without a unit', { change: { after: '3' } }, /`change\.after` must be a time/],
    ['an unknown member', { change: { after: '1s' }, colour: 3 }, /`colour` must be omitted/],
    ['a mistyped member', { change: { after: '1s' }, mtach: {} }, /`mtach` must be named `match`/],
    [
      'a fault with conditions',
      { fault: 'bad-key/deleted-works', match: { key: 'valid' } },
      /`match` must be omitted/,
    ],
    ['`times` next to a rule', { change: { after: '1s' }, times: 3 }, /`times` must be omitted/],
    [
      'a fact that is known too late',
      { match: { refused: true }, change: { hold: '1ms' } },
      /`match\.refused` must be omitted: `refused` is known only when the server has decided/,
    ],
    ['only `times`', { times: 3 }, /exactly one of change/],
  ])('is refused: %s', (_, situation, message) => {
    // A caller in JavaScript can pass any value.
    expect(() => Reflect.apply(gateway.situations.add, undefined, [situation])).toThrow(message);
    expect(gateway.situations.list()).toEqual([]);
  });
  test('takes precedence over the rules of the server, and leaves their counts alone', async () => {
    gateway.rules([{ match: { times: 2 }, change: { answer: { status: 418 } } }]);
    expect(await statusOf(client().chat.completions.create(call))).toBe(418);
    gateway.situations.add({ match: { times: 1 }, change: { refuse: 'internal' } });
    expect(await statusOf(client().chat.completions.create(call))).toBe(500);
    gateway.situations.set([]);
    expect(await statusOf(client().chat.completions.create(call))).toBe(418);
    expect(await statusOf(client().chat.completions.create(call))).toBe(200);
  });
});

test.each<[Situation, number, boolean]>([
  [{ match: { times: 2 }, change: { after: '1s' } }, 1, false],
  [{ match: { times: 2 }, change: { after: '1s' } }, 2, true],
  [{ change: { after: '1s' } }, 99, false],
  [{ change: [{ cut: 1 }, { cut: 2 }] }, 2, true],
  [{ match: { times: 1, by: ['model'] }, change: { cut: 1 } }, 1, false],
  [{ fault: 'bad-key/deleted-works' }, 99, false],
  [{ fault: 'bad-key/deleted-works', times: 3 }, 3, true],
])('%j after %i requests is used up: %s', (situation, used, expected) => {
  expect(isUsedUp({ situation, used })).toBe(expected);
});
