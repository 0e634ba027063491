import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyRulesToGateway } from './apply-rules.ts';
import { createReferenceGateway } from './create-reference-gateway.ts';
import { type Change, createReferenceServer, type ReferenceServer, type Rule } from './index.ts';
import type { Match } from './rules/rule.ts';
import { createRules } from './rules/rules.ts';
import { emptyRequest } from './wire/read-request.ts';

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

describe('a refusal', () => {
  test.each([
    ['missing-credential', 401, 'missing_auth_credential', null],
    ['unknown-model', 400, 'model_not_available', null],
    ['unsupported-model', 400, 'model_not_supported', null],
    ['invalid-body', 400, 'invalid_request_error', null],
    ['low-balance', 400, 'insufficient_balance', { recharge_url: expect.stringMatching(/^https:/) }],
  ] as const)('for %s on a model endpoint has the form of 2.2', async (refuse, status, type, details) => {
    server.rules([{ change: { refuse } }]);
    const answer = await post();
    const trace = answer.headers.get('x-trace-id');
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({
      error: { type, code: status, message: expect.stringMatching(/./), details },
      trace_id: trace,
    });
  });

  test.each([
    ['x-api-key', 'invalid_api_key'],
    ['authorization', 'invalid_bearer_token'],
  ])('for a bad key fits its header: %s', async (header, type) => {
    server.rules([{ change: { refuse: 'bad-key' } }]);
    const response = await fetch(`${server.url}/v1/models`, { headers: { [header]: 'Bearer x' } });
    expect(await response.json()).toMatchObject({ error: { type } });
  });

  test.each([
    ['invalid-parameter', 400, 'invalid_request'],
    ['unknown-record', 404, 'not_found'],
    ['too-frequent', 429, 'rate_limit_exceeded'],
    ['internal', 500, 'internal_error'],
  ] as const)('for %s has the form of the endpoint', async (refuse, status, code) => {
    server.rules([{ change: { refuse } }]);
    const billing = await get('/v1/billing/balance');
    expect(billing.status).toBe(status);
    expect(await billing.json()).toEqual({ error: { code, message: expect.stringMatching(/./) } });
    const model = await post();
    expect(model.status).toBe(status);
    expect(JSON.parse(model.text)).toMatchObject({ error: { code: status }, trace_id: expect.anything() });
    expect(model.headers.get('retry-after')).toBe(status === 429 ? '1' : null);
  });

  test('has the status that the family of the operation requires', async () => {
    server.rules([{ change: { refuse: 'low-balance' } }]);
    expect((await post({ path: '/v1/messages', model: 'claude-reference' })).status).toBe(402);
  });

  test('is sent whatever the key and the body are, and costs nothing', async () => {
    const before = await balance();
    server.rules([{ match: { path: '/v1/chat/*' }, change: { refuse: 'too-frequent' } }]);
    expect((await post({ key: 'sk-wrong' })).status).toBe(429);
    expect((await post({ model: 'nope' })).status).toBe(429);
    expect((await post()).status).toBe(429);
    expect(await balance()).toEqual(before);
  });

  test('can come after the decision, and then replaces the reply of a call that was charged', async () => {
    const before = await balance();
    server.rules([
      {
        match: { operation: 'chat', refused: false },
        change: { refuse: 'unknown-model', status: 503, message: { format: '{model} {reason}' } },
      },
    ]);
    const answer = await post();
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toEqual({
      error: {
        type: 'model_not_available',
        code: 503,
        message: 'gpt-reference unknown-model',
        details: null,
      },
      trace_id: answer.headers.get('x-trace-id'),
    });
    expect((await post({ key: 'sk-wrong' })).status).toBe(401);
    expect(await balance()).not.toEqual(before);
  });

  test('can say what it is about', async () => {
    server.rules([
      {
        match: { refused: 'invalid-body', problem: { type: 'array' } },
        change: { message: { format: '{place} {parent} {member} {type}' } },
      },
      {
        match: { refused: 'invalid-body' },
        change: { message: { format: '{member} of {parent}: {expected}' } },
      },
    ]);
    const send = async (messages: unknown): Promise<unknown> => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'x-api-key': server.profile.keys.valid },
        body: JSON.stringify({ model: 'gpt-reference', messages }),
      });
      return response.json();
    };
    expect(await send('hi')).toMatchObject({ error: { message: 'messages messages messages array' } });
    expect(await send([{ role: 1, content: 'hi' }])).toMatchObject({
      error: { message: expect.stringMatching(/^role of messages: a/) },
    });
  });

  test.each<[string, Rule, number]>([
    ['leaves a request alone that the server cannot read', { change: { refuse: 'too-frequent' } }, 400],
    [
      'replaces that refusal, too, after the decision',
      { match: { refused: true }, change: { refuse: 'too-frequent' } },
      429,
    ],
  ])('%s', async (_, rule, status) => {
    server.rules([rule]);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n');
    expect(await readText(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('takes the place of another one: a rule with `refused` reports the wrong reason', async () => {
    server.rules([{ match: { refused: 'unknown-model' }, change: { refuse: 'bad-key', status: 403 } }]);
    expect(JSON.parse((await post({ model: 'nope' })).text).error).toMatchObject({
      type: 'invalid_api_key',
      code: 403,
    });
    expect(await statuses(1)).toEqual([200]);
  });

  test('can have another Retry-After', async () => {
    server.rules([{ change: { refuse: 'too-frequent', headers: { 'Retry-After': 7 } } }]);
    expect((await post()).headers.get('retry-after')).toBe('7');
  });
});

describe('an answer', () => {
  test.each<[string, Change, number, string | null, string]>([
    [
      'JSON',
      { answer: { json: { ok: [1, null] } } },
      200,
      'application/json; charset=utf-8',
      '{"ok":[1,null]}',
    ],
    [
      'text',
      { answer: { status: 502, text: 'Bad gateway' } },
      502,
      'text/plain; charset=utf-8',
      'Bad gateway',
    ],
    [
      'a page',
      { answer: { status: 503, text: '<h1>No</h1>' }, headers: { 'Content-Type': 'text/html' } },
      503,
      'text/html',
      '<h1>No</h1>',
    ],
    ['a status', { answer: { status: 204 } }, 204, null, ''],
    [
      'events',
      { answer: { events: [{ data: { n: 1 } }, { event: 'end', data: 'two\nlines' }] } },
      200,
      'text/event-stream; charset=utf-8',
      'data: {"n":1}\n\nevent: end\ndata: two\ndata: lines\n\n',
    ],
    [
      'chunks',
      { answer: { status: 201, events: ['data: {"n"', ':1}\n\n'] } },
      201,
      'text/event-stream; charset=utf-8',
      'data: {"n":1}\n\n',
    ],
  ])('can be %s', async (_name, change, status, type, text) => {
    server.rules([{ change }]);
    const got = await post();
    expect([got.status, got.headers.get('content-type'), got.text]).toEqual([status, type, text]);
    expect(got.headers.get('x-trace-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('can be sent for an unknown path', async () => {
    server.rules([
      { match: { method: 'POST', path: '/v1/embeddings', key: 'valid' }, change: { answer: { json: [] } } },
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
  ])('of %s with another completion is charged and refused as usual', async (path, model) => {
    server.rules([{ match: { path }, change: { completion: 'Twelve degrees.' } }]);
    const before = await balance();
    expect((await post({ path, model })).text).toContain('"Twelve degrees."');
    expect((await post({ path, model, stream: true })).text).toMatch(/"Twelve ".*"degrees\."/s);
    expect(await balance()).not.toEqual(before);
    expect((await post({ path, model, key: 'sk-wrong' })).status).toBe(401);
  });

  test('with an empty completion is still a stream', async () => {
    server.rules([{ change: { completion: '' } }]);
    expect((await post({ stream: true })).text).toMatch(/"content":"".*"finish_reason":"stop".*\[DONE\]/s);
  });

  test('can have other headers', async () => {
    server.rules([{ change: { headers: { 'X-Trace-Id': 'mine', 'x-ratelimit-remaining': 0 } } }]);
    const { status, headers } = await post();
    expect([status, headers.get('x-trace-id'), headers.get('x-ratelimit-remaining')]).toEqual([
      200,
      'mine',
      '0',
    ]);
  });

  test('can be delayed', async () => {
    server.rules([{ change: { after: '0.15s' } }]);
    const started = performance.now();
    expect((await post()).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(145);
  });

  test.each([0, 1, 3])('can break a stream with `cut: %d`', async (cut) => {
    server.rules([{ match: { streamed: true }, change: { cut } }]);
    const { status, text, broken } = await post({ stream: true });
    expect([status, broken, text.match(/^data: /gm)?.length ?? 0]).toEqual([200, true, cut]);
    expect((await post()).broken).toBe(false);
  });

  test.each([0, 1])('can break a plain body with `cut: %d`', async (cut) => {
    server.rules([{ change: { cut } }]);
    const { status, text, broken } = await post();
    expect([status, broken, text === '']).toEqual([200, true, cut === 0]);
  });
});

describe('rules', () => {
  test('apply until they are used up; then the next that changes the same thing applies, then none', async () => {
    server.rules([
      { match: { operation: 'responses' }, change: { answer: { status: 418 } } },
      { match: { model: 'gpt-*', times: 2 }, change: { answer: { status: 429 } } },
      { match: { operation: 'chat', times: 1 }, change: { answer: { status: 500 } } },
    ]);
    expect(await statuses(4)).toEqual([429, 429, 500, 200]);
  });

  test('apply together if they change different things', async () => {
    server.rules([
      { match: { refused: true }, change: { headers: { 'x-a': 'refused' } } },
      { match: { operation: 'chat' }, change: { refuse: 'internal' } },
      { match: { surface: 'model' }, change: { status: 599, headers: { 'x-a': 'any' } } },
    ]);
    const { status, headers } = await post();
    expect([status, headers.get('x-a')]).toEqual([599, 'any']);
  });

  test('with a list of changes apply them once each, or until `times` is used up', async () => {
    const change = [{ answer: { status: 500 } }, { answer: { status: 503 } }];
    server.rules([{ change }]);
    expect(await statuses(3)).toEqual([500, 503, 200]);
    server.rules([{ match: { times: 4 }, change }]);
    expect(await statuses(5)).toEqual([500, 503, 500, 503, 200]);
  });

  test('with one change and no `times` apply without limit', async () => {
    server.rules([{ change: { answer: { status: 500 } } }]);
    expect(await statuses(4)).toEqual([500, 500, 500, 500]);
  });

  test('that do not match a request are not used up', async () => {
    server.rules([{ match: { key: 'depleted', times: 1 }, change: { answer: { status: 500 } } }]);
    expect(await statuses(2)).toEqual([200, 200]);
    expect(await statuses(2, { key: server.profile.keys.depleted })).toEqual([500, 400]);
  });

  test('can be replaced while the server runs, and reset() restores the initial rules', async () => {
    const ruled = await createReferenceServer({
      rules: [{ match: { times: 1 }, change: { answer: { status: 418 } } }],
    });
    const status = async (): Promise<number> => (await fetch(ruled.url)).status;
    expect([await status(), await status()]).toEqual([418, 404]);
    ruled.rules([{ change: { answer: { status: 500 } } }]);
    expect(await status()).toBe(500);
    ruled.reset();
    expect([await status(), await status()]).toEqual([418, 404]);
    await ruled.close();
  });

  test('use the replaced decisions of the server', async () => {
    const variant = await createReferenceServer({
      decisions: () => ({ errorStatusOf: () => 499 }),
      rules: [{ change: { refuse: 'unknown-path' } }],
    });
    expect((await fetch(variant.url)).status).toBe(499);
    await variant.close();
  });
});

describe('changes of how a request is read and decided', () => {
  const keys = (): ReferenceServer['profile']['keys'] => server.profile.keys;
  test.each<[string, Change, () => RequestParts, number, number]>([
    [
      'deleted keys are accepted',
      { keys: { accept: ['deleted'] } },
      () => ({ key: keys().deleted }),
      401,
      200,
    ],
    ['unknown keys are accepted', { keys: { accept: ['unknown'] } }, () => ({ key: 'sk-x' }), 401, 200],
    ['a header is ignored', { keys: { notFrom: ['x-api-key'] } }, () => ({}), 200, 401],
    ['the check of the credential is skipped', { skip: ['credential'] }, () => ({ key: 'sk-x' }), 401, 200],
    [
      'the check of the balance is skipped',
      { skip: ['balance'] },
      () => ({ key: keys().depleted }),
      400,
      200,
    ],
    [
      'the check of the form is skipped',
      { skip: ['form', 'known-model'] },
      () => ({ model: 'nope' }),
      400,
      200,
    ],
    [
      'the model is checked first',
      { first: ['body', 'known-model'] },
      () => ({ key: 'sk-x', model: 'nope' }),
      401,
      400,
    ],
  ])('%s', async (_, change, sent, before, after) => {
    expect((await post(sent())).status).toBe(before);
    server.rules([{ change }]);
    expect((await post(sent())).status).toBe(after);
  });

  test.each<[string, string, string, number, number]>([
    ['the form of a request ID', 'request-id', '/v1/billing/requests?request_id=1', 400, 404],
    ['the order of two times', 'range', '/v1/billing/usage?start_time=2&end_time=1', 400, 200],
    ['the owner of a record', 'owner', '/v1/billing/requests?request_id=FOREIGN', 404, 200],
  ])('%s is not checked', async (_, skip, path, before, after) => {
    const full = path.replace('FOREIGN', server.profile.records.foreign);
    expect((await get(full)).status).toBe(before);
    server.rules([{ change: { skip: [skip] } }]);
    expect((await get(full)).status).toBe(after);
  });
});

describe('conditions on the body', () => {
  const send = async (body: string): Promise<number> => {
    const { valid } = server.profile.keys;
    const headers = { 'x-api-key': valid, 'content-type': 'application/json' };
    const request = { method: 'POST', headers, body };
    return (await fetch(`${server.url}/v1/chat/completions`, request)).status;
  };
  const valid = '{"model":"gpt-reference","messages":[{"role":"user","content":"hi"}]}';
  const noRole = valid.replace('"role":"user",', '');

  test.each<[Match, string, string]>([
    [{ invalid: { at: 'messages[*].role', type: 'missing' } }, noRole, '{}'],
    [{ invalid: { at: 'body', type: 'array' } }, '[]', noRole],
    [{ invalid: { at: 'json' } }, '{', '[]'],
    [{ invalid: { at: 'model', value: '' } }, valid.replace('gpt-reference', ''), '{}'],
    [{ text: '* ' }, `${valid} `, valid],
    [{ text: '' }, '', '{'],
    [{ size: { over: 10, under: 80 } }, noRole, '{}'],
    [{ marker: '{"mo' }, noRole, '{}'],
  ])('%j holds for %j, not for %j; also after the decision', async (match, body, other) => {
    const before = await send(other);
    server.rules([{ match, change: { answer: { status: 299 } } }]);
    expect([await send(body), await send(other)]).toEqual([299, before]);
    const change = { status: 298 };
    server.rules([true, false].map((refused) => ({ match: { ...match, refused }, change })));
    expect([await send(body), await send(other)]).toEqual([298, before]);
  });

  test('a request that carries no body has no invalid one', async () => {
    server.rules([{ match: { invalid: { at: '*' } }, change: { refuse: 'internal' } }]);
    expect((await get('/v1/models')).status).toBe(200);
  });
});

describe('memory', () => {
  test('notes and counts are kept apart by facts', async () => {
    server.rules([
      { match: { key: 'valid' }, change: { note: { name: 'seen', by: ['model'] } } },
      { match: { noted: { name: 'seen', by: ['model'] }, key: 'depleted' }, change: { refuse: 'internal' } },
      { match: { key: 'foreign', from: 2, by: ['model'] }, change: { refuse: 'unknown-path' } },
    ]);
    const { depleted, foreign } = server.profile.keys;
    expect(await statuses(1, { key: depleted })).toEqual([400]);
    expect(await statuses(1)).toEqual([200]);
    expect(await statuses(1, { key: depleted })).toEqual([500]);
    expect(await statuses(1, { key: depleted, model: 'nope' })).toEqual([400]);
    expect(await statuses(2, { key: foreign })).toEqual([200, 404]);
    expect(await statuses(2, { key: foreign, model: 'nope' })).toEqual([400, 404]);
  });

  test('a request meets another that is under way', async () => {
    server.rules([
      { match: { credential: 'sk-*' }, change: { hold: '300ms' } },
      { match: { key: 'valid', during: { key: ['unknown', 'deleted'] } }, change: { refuse: 'bad-key' } },
    ]);
    expect(await statuses(1)).toEqual([200]);
    const wrong = post({ key: 'sk-wrong' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await statuses(1)).toEqual([401]);
    expect((await wrong).status).toBe(401);
    expect(await statuses(1)).toEqual([200]);
  });

  test('a response waits until it is released', async () => {
    server.rules([{ match: { operation: 'chat' }, change: { untilReleased: true } }]);
    let isDone = false;
    const held = post().then((response) => {
      isDone = true;
      return response.status;
    });
    expect((await get('/v1/models')).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDone).toBe(false);
    server.release();
    expect(await held).toBe(200);
  });
});

test('a rule that asks for the body waits for no body that has arrived, so that requests keep their order', () => {
  const rules = createRules([{ match: { streamed: false }, change: { status: 599 } }]);
  const { gateway } = createReferenceGateway(applyRulesToGateway(rules));
  expect(gateway.handle(emptyRequest)).toMatchObject({ wire: { status: 599 } });
});

test.each<[string, Change, RegExp]>([
  ['in family A', { error: 'low-balance' }, /^data: .*\n\ndata: \{"error".*"insufficient_balance".*\n\n$/],
  [
    'after two chunks',
    { error: { reason: 'internal', after: 2 } },
    /^(data: [^\n]*\n\n){2}data: \{"error".*\n\n$/,
  ],
])('an error inside a stream %s', async (_, change, text) => {
  server.rules([{ match: { streamed: true, refused: false }, change }]);
  expect((await post({ stream: true })).text).toMatch(text);
  expect((await post()).text).not.toContain('"error"');
});
