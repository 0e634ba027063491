import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer, type ScriptRule } from '../index.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

type RequestParts = { key?: string; stream?: boolean; model?: string; path?: string };
async function post({ key = server.profile.keys.valid, stream = false, ...sent }: RequestParts = {}) {
  const { path = '/v1/chat/completions', model = 'gpt-reference' } = sent;
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ model, max_tokens: 16, messages: [{ role: 'user', content: 'hi' }], stream }),
  });
  const { status, headers } = response;
  const chunks: string[] = [];
  let broken = false;
  try {
    for await (const chunk of response.body ?? []) chunks.push(Buffer.from(chunk).toString());
  } catch {
    broken = true;
  }
  return { status, headers, text: chunks.join(''), broken };
}
const get = (path: string): Promise<Response> =>
  fetch(server.url + path, { headers: { 'x-api-key': server.profile.keys.valid } });
const balance = async (): Promise<unknown> => (await get('/v1/billing/balance')).json();
const statuses = async (count: number, sent: RequestParts = {}): Promise<number[]> => {
  const all: number[] = [];
  for (let i = 0; i < count; i += 1) all.push((await post(sent)).status);
  return all;
};

describe('a scripted error', () => {
  test.each([
    ['missing_auth_credential', 401, null],
    ['invalid_api_key', 401, null],
    ['invalid_bearer_token', 401, null],
    ['model_not_available', 400, null],
    ['model_not_supported', 400, null],
    ['invalid_request_error', 400, null],
    ['insufficient_balance', 400, { recharge_url: expect.stringMatching(/^https:/) }],
  ] as const)('%s on a model endpoint has the form of 2.2', async (error, status, details) => {
    server.script([{ answer: { error } }]);
    const answer = await post();
    const trace = answer.headers.get('x-trace-id');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({
      error: { type: error, code: status, message: expect.stringMatching(/./), details },
      trace_id: trace,
    });
  });

  test.each([
    ['invalid_request', 400],
    ['not_found', 404],
    ['rate_limit_exceeded', 429],
    ['internal_error', 500],
  ] as const)('%s has the form of the endpoint', async (error, status) => {
    server.script([{ answer: { error } }]);
    const billing = await get('/v1/billing/balance');
    expect(billing.status).toBe(status);
    expect(await billing.json()).toEqual({ error: { code: error, message: expect.stringMatching(/./) } });
    const model = await post();
    expect(model.status).toBe(status);
    expect(JSON.parse(model.text)).toMatchObject({ error: { code: status }, trace_id: expect.anything() });
    expect(model.headers.get('retry-after')).toBe(status === 429 ? '1' : null);
  });

  test('has the status that the family of the operation requires', async () => {
    server.script([{ answer: { error: 'insufficient_balance' } }]);
    expect((await post({ path: '/v1/messages', model: 'claude-reference' })).status).toBe(402);
  });

  test('is sent whatever the key and the body are, and costs nothing', async () => {
    const before = await balance();
    server.script([{ match: { path: '/v1/chat/*' }, answer: { error: 'rate_limit_exceeded' } }]);
    expect((await post({ key: 'sk-wrong' })).status).toBe(429);
    expect((await post({ model: 'nope' })).status).toBe(429);
    expect((await post()).status).toBe(429);
    expect(await balance()).toEqual(before);
  });

  test('can have another Retry-After', async () => {
    server.script([{ answer: [{ error: 'internal_error', retryAfter: 7 }] }]);
    expect((await post()).headers.get('retry-after')).toBe('7');
  });
});

describe('a scripted response', () => {
  test.each<[string, ScriptRule['answer'], number, string | null, string]>([
    ['JSON', { body: { ok: [1, null] } }, 200, 'application/json; charset=utf-8', '{"ok":[1,null]}'],
    ['text', { status: 502, body: 'Bad gateway' }, 502, 'text/plain; charset=utf-8', 'Bad gateway'],
    [
      'a page',
      { status: 503, body: '<h1>No</h1>', headers: { 'Content-Type': 'text/html' } },
      503,
      'text/html',
      '<h1>No</h1>',
    ],
    ['a status', { status: 204 }, 204, null, ''],
    [
      'events',
      { events: [{ data: { n: 1 } }, { event: 'end', data: 'two\nlines' }] },
      200,
      'text/event-stream; charset=utf-8',
      'data: {"n":1}\n\nevent: end\ndata: two\ndata: lines\n\n',
    ],
    [
      'chunks',
      { status: 201, chunks: ['data: {"n"', ':1}\n\n'] },
      201,
      'text/event-stream; charset=utf-8',
      'data: {"n":1}\n\n',
    ],
  ])('can be %s', async (_name, answer, status, type, text) => {
    server.script([{ answer }]);
    const got = await post();
    expect([got.status, got.headers.get('content-type'), got.text]).toEqual([status, type, text]);
    expect(got.headers.get('x-trace-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('can be sent for an unknown path', async () => {
    server.script([
      { match: { method: 'POST', path: '/v1/embeddings', key: 'valid' }, answer: { body: [] } },
    ]);
    expect((await post({ path: '/v1/embeddings' })).text).toBe('[]');
    expect((await post({ path: '/v1/embeddings', key: 'sk-wrong' })).status).toBe(404);
    expect((await get('/v1/embeddings')).status).toBe(404);
  });
});

describe('the normal response', () => {
  test.each([
    ['/v1/chat/completions', 'gpt-reference'],
    ['/v1/messages', 'claude-reference'],
  ])('of %s with a scripted text is charged and refused as usual', async (path, model) => {
    server.script([{ match: { path }, answer: { text: 'Twelve degrees.' } }]);
    const before = await balance();
    expect((await post({ path, model })).text).toContain('"Twelve degrees."');
    expect((await post({ path, model, stream: true })).text).toMatch(/"Twelve ".*"degrees\."/s);
    expect(await balance()).not.toEqual(before);
    expect((await post({ path, model, key: 'sk-wrong' })).status).toBe(401);
  });

  test('with an empty text is still a stream', async () => {
    server.script([{ answer: { text: '' } }]);
    expect((await post({ stream: true })).text).toMatch(/"content":"".*"finish_reason":"stop".*\[DONE\]/s);
  });

  test('can have other headers', async () => {
    server.script([{ answer: { headers: { 'X-Trace-Id': 'mine', 'x-ratelimit-remaining': 0 } } }]);
    const { status, headers } = await post();
    expect([status, headers.get('x-trace-id'), headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      'mine',
      '0',
    ]);
  });

  test('can be delayed', async () => {
    server.script([{ answer: { after: '0.15s' } }]);
    const started = performance.now();
    expect((await post()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(145);
  });

  test.each([0, 1, 3])('can break a stream with `cut: %d`', async (cut) => {
    server.script([{ match: { streamed: true }, answer: { cut } }]);
    const { status, text, broken } = await post({ stream: true });
    expect([status, broken, text.match(/^data: /gm)?.length ?? 0]).toEqual([200, true, cut]);
    expect((await post()).broken).toBe(false);
  });

  test.each([0, 1])('can break a plain body with `cut: %d`', async (cut) => {
    server.script([{ answer: { cut } }]);
    const { status, text, broken } = await post();
    expect([status, broken, text === '']).toEqual([200, true, cut === 0]);
  });
});

describe('rules', () => {
  test('are tried in order until a rule matches and is not used up; if no rule applies, the gateway responds', async () => {
    server.script([
      { match: { operation: 'responses' }, answer: { status: 418 } },
      { match: { model: 'gpt-*' }, answer: { status: 429 }, times: 2 },
      { match: { operation: 'chat' }, answer: { status: 500 }, times: 1 },
    ]);
    expect(await statuses(4)).toEqual([429, 429, 500, 200]);
  });

  test('a list of responses is used once, or `times` times', async () => {
    const answer = [{ status: 500 }, { status: 503 }];
    server.script([{ answer }]);
    expect(await statuses(3)).toEqual([500, 503, 200]);
    server.script([{ answer, times: 2 }]);
    expect(await statuses(5)).toEqual([500, 503, 500, 503, 200]);
  });

  test('a single response without `times` is used without limit', async () => {
    server.script([{ answer: { status: 500 } }]);
    expect(await statuses(4)).toEqual([500, 500, 500, 500]);
  });

  test('that do not match a request are not used up', async () => {
    server.script([{ match: { key: 'depleted' }, answer: { status: 500 }, times: 1 }]);
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await statuses(2, { key: server.profile.keys.depleted })).toEqual([500, 400]);
  });

  test('can be replaced while the server runs, and reset() restores the initial rules', async () => {
    const scripted = await createReferenceServer({ script: [{ answer: { status: 418 }, times: 1 }] });
    const status = async (): Promise<number> => (await fetch(scripted.url)).status;
    expect([await status(), await status()]).toEqual([418, 404]);
    scripted.script([{ answer: { status: 500 } }]);
    expect(await status()).toBe(500);
    scripted.reset();
    expect([await status(), await status()]).toEqual([418, 404]);
    await scripted.close();
  });

  test('use the replaced decisions of the server', async () => {
    const variant = await createReferenceServer({
      decisions: () => ({ errorStatusOf: () => 499 }),
      script: [{ answer: { error: 'not_found' } }],
    });
    expect((await fetch(variant.url)).status).toBe(499);
    await variant.close();
  });
});
