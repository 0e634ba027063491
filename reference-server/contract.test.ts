import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from './index.ts';
import { isObject } from './json.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
afterAll(() => server.close());

type RequestParts = { path: string; headers?: Record<string, string>; body?: unknown };
async function send({ path, headers = {}, body }: RequestParts) {
  const response = await fetch(`${server.url}${path}`, {
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined
      ? {}
      : { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : parsed(text);
  return { status: response.status, headers: response.headers, text, json: isObject(json) ? json : {} };
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const errorOf = (json: Record<string, unknown>) => (isObject(json.error) ? json.error : {});
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const user = [{ role: 'user', content: 'hi' }];

const calls = {
  chat: (model: string, more = {}) => ({
    path: '/v1/chat/completions',
    body: { model, messages: user, ...more },
  }),
  responses: (model: string, more = {}) => ({ path: '/v1/responses', body: { model, input: 'hi', ...more } }),
  messages: (model: string, more = {}) => ({
    path: '/v1/messages',
    body: { model, max_tokens: 16, messages: user, ...more },
  }),
  generate: (model: string, more = {}) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: { contents: [{ parts: [{ text: 'hi' }] }], ...more },
  }),
  streamGenerate: (model: string, more = {}) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    body: { contents: [{ parts: [{ text: 'hi' }] }], ...more },
  }),
};
type CallName = keyof typeof calls;
const callNames: readonly CallName[] = ['chat', 'responses', 'messages', 'generate', 'streamGenerate'];
const rolesOf = (call: CallName) => server.profile.models[call === 'streamGenerate' ? 'generate' : call];
const good = () => ({ 'x-api-key': server.profile.keys.valid });

async function expectModelError(sent: RequestParts, status: number, type: string) {
  const answer = await send(sent);
  expect({ status: answer.status, type: errorOf(answer.json).type }, answer.text).toEqual({ status, type });
  expect(Object.keys(answer.json).sort()).toEqual(['error', 'trace_id']);
  expect(Object.keys(errorOf(answer.json)).sort()).toEqual(['code', 'details', 'message', 'type']);
  expect(errorOf(answer.json).code).toBe(status);
  expect(answer.json.trace_id).toMatch(uuid);
  expect(answer.headers.get('x-trace-id')).toBe(answer.json.trace_id);
  return { ...answer, message: String(errorOf(answer.json).message) };
}

async function expectBillingError(sent: RequestParts, status: number, code: string) {
  const answer = await send(sent);
  const message = expect.stringMatching(/./);
  expect({ status: answer.status, json: answer.json }).toEqual({
    status,
    json: { error: { code, message } },
  });
}

// What the suite sends to the gateway itself, such as every operation with every header and kind of key, is not repeated
// here.
describe('credentials of the model list of family C', () => {
  const headers: Record<string, (key: string) => Record<string, string>> = {
    bearer: (key) => ({ authorization: `Bearer ${key}` }),
    'x-api-key': (key) => ({ 'x-api-key': key }),
    'x-goog-api-key': (key) => ({ 'x-goog-api-key': key }),
  };
  const path = '/v1beta/models';

  test.each([
    ['bearer', 'invalid_bearer_token'],
    ['x-api-key', 'invalid_api_key'],
    ['x-goog-api-key', 'invalid_api_key'],
  ])('%s: accepts a valid key, and refuses an unknown key', async (header, type) => {
    const sent = (key: string) => ({ path, headers: headers[header]?.(key) });
    expect((await send(sent(server.profile.keys.valid))).status).toBe(200);
    await expectModelError(sent('sk-unknown'), 401, type);
  });

  test('refuses a request without a key', async () => {
    await expectModelError({ path }, 401, 'missing_auth_credential');
  });
});

test.each([
  ['another scheme', () => `Basic ${btoa(server.profile.keys.valid)}`],
  ['no scheme', () => server.profile.keys.valid],
])('finds no credential in Authorization with %s', async (_, authorization) => {
  const sent = { path: '/v1/models', headers: { authorization: authorization() } };
  await expectModelError(sent, 401, 'missing_auth_credential');
});

test('accepts the scheme in lower case', async () => {
  const headers = { authorization: `bearer ${server.profile.keys.valid}` };
  expect((await send({ path: '/v1/models', headers })).status).toBe(200);
});

test('checks the credential before the body', async () => {
  await expectModelError({ path: '/v1/chat/completions', body: '{' }, 401, 'missing_auth_credential');
});

test.each(callNames)('%s names an unlisted model and a model of another protocol', async (name) => {
  for (const [model, type] of [
    ['no/such:model', 'model_not_available'],
    [rolesOf(name).mismatched, 'invalid_request_error'],
  ] as const) {
    const sent = { ...calls[name](model), headers: good() };
    expect((await expectModelError(sent, 400, type)).message).toContain(model);
  }
});

const png = 'data:image/png;base64,AA==';
const images: readonly (readonly [CallName, object])[] = [
  ['chat', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: png } }] }] }],
  ['responses', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: png }] }] }],
  [
    'messages',
    { messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url: png } }] }] },
  ],
  ['messages', { system: [{ type: 'image', source: { type: 'url', url: png } }] }],
  ['generate', { contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'AA==' } }] }] }],
  ['generate', { contents: [{ parts: [{ inline_data: { mime_type: 'image/png', data: 'AA==' } }] }] }],
  ['generate', { contents: [{ parts: [{ fileData: { mimeType: 'image/png', fileUri: png } }] }] }],
  ['streamGenerate', { contents: [{ parts: [{ fileData: { fileUri: png } }] }] }],
];
test.each(images)('refuses an image for a text-only model in a %s call: %j', async (name, body) => {
  const { textOnly, good: seeing } = rolesOf(name);
  await expectModelError({ ...calls[name](textOnly, body), headers: good() }, 400, 'invalid_request_error');
  expect((await send({ ...calls[name](seeing, body), headers: good() })).status).toBe(200);
});

const faulty: readonly (readonly [CallName, object, string])[] = [
  ['chat', { model: 1 }, '`model` must be a string'],
  ['chat', { model: '' }, '`model` must be'],
  ['chat', { model: undefined }, '`model` must be present, and a string'],
  ['chat', { messages: undefined }, '`messages` must be present, and an array'],
  ['chat', { messages: {} }, '`messages` must be an array'],
  ['chat', { messages: ['x'] }, '`messages[0]` must be an object'],
  ['chat', { messages: [...user, { content: 'x' }] }, '`messages[1].role` must be present'],
  ['chat', { messages: [{ role: 'user' }] }, '`messages[0].content` must be present'],
  ['chat', { messages: [{ role: 1, content: 'x' }] }, '`messages[0].role` must be a string'],
  ['chat', { messages: [{ role: 'user', content: {} }] }, '`messages[0].content` must be a string'],
  ['chat', { messages: [{ role: 'user', content: ['x'] }] }, '`messages[0].content[0]` must be an object'],
  ['responses', { input: 3 }, '`input` must be a string or an array'],
  ['messages', { max_tokens: 'x' }, '`max_tokens` must be an integer'],
  ['generate', { contents: [{}] }, '`contents[0].parts` must be present'],
];
test.each(faulty)('%s refuses %j with a message that names the place', async (name, body, place) => {
  const sent = { ...calls[name](rolesOf(name).good, body), headers: good() };
  expect((await expectModelError(sent, 400, 'invalid_request_error')).message).toContain(place);
});

test('accepts content parts instead of a string', async () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }];
  expect((await send({ ...calls.chat('gpt-reference', { messages }), headers: good() })).status).toBe(200);
});

describe('billing-type endpoints', () => {
  const bad: readonly (readonly [string, number, string])[] = [
    ['/v1/billing/requests', 400, 'invalid_request'],
    ['/v1/billing/usage?start_time=1', 400, 'invalid_request'],
    ['/v1/billing/requests?request_id=11111111-2222-4333-8444-555555555555', 404, 'not_found'],
  ];
  test.each(bad)('responds to %s with %i %s', async (path, status, code) => {
    await expectBillingError({ path, headers: good() }, status, code);
  });

  test('respond to a missing key with 401, a code of the gateway itself, and the type of section 5', async () => {
    const { status, json } = await send({ path: '/v1/billing/balance' });
    expect({ status, error: errorOf(json) }).toMatchObject({
      status: 401,
      error: { type: 'missing_auth_credential', code: 'unauthorized' },
    });
  });

  test('accepts a range that ends when it begins', async () => {
    const path = '/v1/billing/usage?start_time=1&end_time=1';
    expect((await send({ path, headers: good() })).status).toBe(200);
  });

  test('responds identically for a record that does not exist and a record of another account', async () => {
    const [absent, foreign] = await Promise.all(
      ['11111111-2222-4333-8444-555555555555', server.profile.records.foreign].map((id) =>
        send({ path: `/v1/billing/requests?request_id=${id}`, headers: good() }),
      ),
    );
    expect(absent?.text).toBe(foreign?.text);
  });

  test('a call reduces the balance and leaves a record that only its account can read', async () => {
    const fresh = await createReferenceServer();
    const get = async (path: string, key: string) => {
      const answer = await fetch(`${fresh.url}${path}`, { headers: { 'x-api-key': key } });
      const json: unknown = await answer.json();
      return { status: answer.status, json: isObject(json) ? json : {} };
    };
    const { valid, foreign } = fresh.profile.keys;
    const before = (await get('/v1/billing/balance', valid)).json.balance;
    const call = await fetch(`${fresh.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': valid },
      body: JSON.stringify(calls.messages('claude-reference').body),
    });
    await call.text();
    const path = `/v1/billing/requests?request_id=${call.headers.get('x-request-id')}`;
    const record = (await get(path, valid)).json;
    expect(record).toMatchObject({ operation: 'messages', model: 'claude-reference' });
    expect((await get(path, foreign)).status).toBe(404);
    const after = (await get('/v1/billing/balance', valid)).json.balance;
    expect(Number(before) - Number(after)).toBe(record.cost);
    expect((await get('/v1/billing/usage?start_time=0&end_time=99999999999', valid)).json.requests).toBe(2);
    expect((await get('/v1/billing/usage?start_time=0&end_time=1', valid)).json.requests).toBe(0);
    await fresh.close();
  });

  test('limits each key and operation separately, and serves a key again when the time of the limit has passed', async () => {
    let time = 1_800_000_000_000;
    const rateLimit = { operation: 'usage', requests: 4, within: '10s' } as const;
    const fresh = await createReferenceServer({ now: () => time, profile: { rateLimit } });
    const get = (key: string, path = 'balance') =>
      fetch(`${fresh.url}/v1/billing/${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { valid, foreign } = fresh.profile.keys;
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await get(valid)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await get(valid);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
    expect((await get(foreign)).status).toBe(200);
    expect((await get(valid, 'usage?start_time=0&end_time=1')).status).toBe(200);
    time += 9_999;
    expect((await get(valid)).status).toBe(429);
    time += 1;
    for (let i = 0; i < 3; i += 1) expect((await get(valid)).status).toBe(200);
    expect((await get(valid)).status).toBe(429);
    await fresh.close();
  });

  test('does not count requests that are older than the window of the limit', async () => {
    let time = 1_800_000_000_000;
    const rateLimit = { operation: 'usage', requests: 3, within: '10s' } as const;
    const fresh = await createReferenceServer({ now: () => time, profile: { rateLimit } });
    const authorization = `Bearer ${fresh.profile.keys.valid}`;
    const get = () => fetch(`${fresh.url}/v1/billing/balance`, { headers: { authorization } });
    const statuses = [];
    for (const pause of [0, 6_000, 4_000, 0]) {
      time += pause;
      statuses.push((await get()).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    await fresh.close();
  });
});

test('sends different trace IDs with three successful responses', async () => {
  const answers = await Promise.all([1, 2, 3].map(() => send({ path: '/v1/models', headers: good() })));
  expect(new Set(answers.map((answer) => answer.headers.get('x-trace-id'))).size).toBe(3);
});

test.each([
  ['/v1/models', { type: 'invalid_request_error', code: 403, details: null }],
  ['/v1/billing/balance', { code: 'invalid_request' }],
])('refuses another host with the error body of the endpoint: %s', async (path, error) => {
  const closed = await createReferenceServer({ refusesHost: () => 'No.' });
  const response = await fetch(`${closed.url}${path}`);
  const trace = response.headers.get('x-trace-id');
  expect(trace).toMatch(uuid);
  expect(response.status).toBe(403);
  expect(await response.json()).toEqual({
    error: { message: 'No.', ...error },
    ...('details' in error && { trace_id: trace }),
  });
  await closed.close();
});
