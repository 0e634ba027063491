import { once } from 'node:events';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from './index.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

function send(path: string, headers: Record<string, string>, body?: string): Promise<Response> {
  return fetch(server.url + path, { headers, ...(body !== undefined && { method: 'POST', body }) });
}
const chat = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }], stream: true };

test('the journal contains a request with its body and the result', async () => {
  const before = Date.now();
  const answer = await send(
    '/v1/chat/completions?a=1',
    { authorization: `Bearer ${server.profile.keys.valid}`, 'X-Tenant': 'acme' },
    JSON.stringify(chat),
  );
  await answer.text();
  const [request, ...others] = server.requests();
  expect(others).toEqual([]);
  expect(request).toMatchObject({
    method: 'POST',
    path: '/v1/chat/completions',
    query: { a: '1' },
    headers: { authorization: 'Bearer {{keys.valid}}', 'x-tenant': 'acme' },
    body: chat,
    operation: 'chat',
    model: 'gpt-reference',
    key: 'valid',
    streamed: true,
    status: 200,
    traceId: answer.headers.get('x-trace-id'),
  });
  expect(request?.at).toBeGreaterThanOrEqual(before);
});

test('the journal contains the body of a request that was refused before its body was read', async () => {
  const { status } = await send('/v1/chat/completions', { 'x-api-key': 'no' }, JSON.stringify(chat));
  expect(status).toBe(401);
  await expect.poll(() => server.requests()[0]).toMatchObject({ body: chat, key: 'unknown', status: 401 });
});

test('the journal contains requests for unknown paths and bodies that are not JSON', async () => {
  await send('/nowhere', {});
  await send('/v1/responses', { 'x-api-key': server.profile.keys.valid }, 'no json');
  expect(server.requests()).toMatchObject([
    { path: '/nowhere', operation: undefined, key: 'none', body: undefined, status: 404 },
    { operation: 'responses', key: 'valid', body: 'no json', status: 400 },
  ]);
});

test('the journal contains requests in the order of arrival, even if the later request is answered first', async () => {
  const key = { 'x-api-key': server.profile.keys.valid };
  const slow = request(`${server.url}/v1/responses`, {
    method: 'POST',
    headers: { ...key, expect: '100-continue' },
  });
  slow.flushHeaders();
  await once(slow, 'continue');
  await send('/v1/responses', key, '{"model":"fast"}');
  slow.end('{"model":"slow"}');
  await once(slow, 'response');
  slow.destroy();
  expect(server.requests()).toMatchObject([{ body: { model: 'slow' } }, { body: { model: 'fast' } }]);
});

describe('the journal keeps', () => {
  test('the latest 1,000 requests', async () => {
    for (let sent = 0; sent < 1010; sent += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => send(`/nowhere/${sent + index}`, {})));
    expect(server.requests()).toHaveLength(1000);
    const [first] = server.requests();
    const last = server.requests().at(-1);
    expect((last?.number ?? 0) - (first?.number ?? 0)).toBe(999);
  });
  test('fewer requests if their bodies are long', async () => {
    const body = JSON.stringify({ ...chat, padding: 'x'.repeat(4_000_000) });
    const key = { 'x-api-key': server.profile.keys.depleted };
    for (let sent = 0; sent < 18; sent += 1) await (await send('/v1/chat/completions', key, body)).text();
    expect(server.requests()).toHaveLength(16);
  });
});

describe('the journal redacts a key', () => {
  const mine = 'AIza-my-own+secret/key=';
  const places: readonly (readonly [string, (key: string) => Promise<Response>])[] = [
    ['a bearer header', (key) => send('/v1/models', { authorization: `bearer ${key}` })],
    ['a raw header', (key) => send('/v1/models', { authorization: key })],
    ['basic credentials', (key) => send('/v1/models', { authorization: `Basic ${btoa(`u:${key}`)}` })],
    ['x-api-key', (key) => send('/v1/models', { 'x-api-key': key })],
    ['x-goog-api-key', (key) => send('/v1/models', { 'x-goog-api-key': key })],
    ['a cookie', (key) => send('/v1/models', { cookie: `session=${key}` })],
    ['the query', (key) => send(`/v1/models?key=${encodeURIComponent(key)}`, {})],
    ['the path', (key) => send(`/v1/models/${encodeURIComponent(key)}`, { 'x-api-key': key })],
    ['another header', (key) => send('/v1/models', { 'x-api-key': key, 'x-copy': `my ${key}` })],
    ['the body', (key) => send('/v1/responses', { 'x-api-key': key }, JSON.stringify({ input: [key] }))],
    [
      'a name in the body',
      (key) => send('/v1/responses', { 'x-api-key': key }, JSON.stringify({ [key]: 1 })),
    ],
    ['a body that is not JSON', (key) => send('/v1/responses', { 'x-api-key': key }, `key=${key}`)],
    [
      'a body with escapes',
      (key) => {
        const escaped = [...key].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('');
        return send('/v1/responses', { 'x-api-key': key }, `{"input":"${escaped}"}`);
      },
    ],
  ];
  test.each(places)('in %s', async (place, use) => {
    for (const key of [server.profile.keys.valid, server.profile.keys.deleted, mine]) {
      await (await use(key)).text();
      if (place.includes('body')) await expect.poll(() => server.requests().at(-1)?.body).not.toBeUndefined();
      const text = JSON.stringify(server.requests());
      for (const secret of [key, encodeURIComponent(key), btoa(`u:${key}`)])
        expect(text).not.toContain(secret);
      expect(text).toContain('{{keys.');
    }
  });
});
