import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../index.ts';
import type { Header } from '../wire/response.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import type { Overrides } from './decisions.ts';

type Answer = { status: number; headers: string[]; body: Buffer };
type RequestParts = { path: string; headers?: Record<string, string>; body?: string };

/** Sends one request and returns the response with the original header names. */
function send(server: ReferenceServer, { path, headers = {}, body }: RequestParts): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
    });
    outgoing.on('error', reject).on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('error', reject).on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders,
          body: Buffer.concat(parts),
        }),
      );
    });
    outgoing.end(body);
  });
}

async function withServer<T>(decisions: Overrides, use: (server: ReferenceServer) => Promise<T>): Promise<T> {
  const server = await createReferenceServer({ decisions });
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

const key = 'sk-Reference-Valid-0123456789abcdefghijKLMNOP';
const good = { authorization: `Bearer ${key}` };
const chat = (body: object = {}, headers: Record<string, string> = good): RequestParts => ({
  path: '/v1/chat/completions',
  headers,
  body: JSON.stringify({ model: 'gpt-reference', messages: [], ...body }),
});
const models = (headers: Record<string, string> = good): RequestParts => ({ path: '/v1/models', headers });
const foreign = '/v1/billing/requests?request_id=5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a02';
const depleted = { 'x-api-key': 'sk-Reference-Depleted-5555555555mnopqrstuvABCD' };

// Each row has a replaced decision, and a request whose response the replacement changes.
const faults: readonly (readonly [string, Overrides, RequestParts, number, RegExp])[] = [
  [
    'can ignore x-api-key on chat',
    (base) => ({
      listAcceptedHeaders: (ctx) =>
        base
          .listAcceptedHeaders(ctx)
          .filter((header) => ctx.operation?.id !== 'chat' || header !== 'x-api-key'),
    }),
    chat({}, { 'x-api-key': key }),
    401,
    /missing_auth_credential/,
  ],
  [
    'can accept x-goog-api-key everywhere',
    () => ({ listAcceptedHeaders: () => ['bearer', 'x-api-key', 'x-goog-api-key'] }),
    models({ 'x-goog-api-key': key }),
    200,
    /gpt-reference/,
  ],
  [
    'can accept a key in the query',
    (base) => ({
      credentialOf: (accepted, ctx) => {
        const value = ctx.request.query.get('key');
        return value === null ? base.credentialOf(accepted, ctx) : { header: 'bearer', value };
      },
    }),
    { path: `/v1/models?key=${key}` },
    200,
    /gpt-reference/,
  ],
  [
    'can accept a key followed by other text',
    () => ({ findKey: ({ value }, ctx) => ctx.state.keys.find((one) => value.startsWith(one.value)) }),
    models({ 'x-api-key': `${key}junk` }),
    200,
    /gpt-reference/,
  ],
  [
    'can accept a deleted key',
    () => ({ isKeyValid: () => true }),
    models({ 'x-api-key': 'sk-Reference-Deleted-9876543210zyxwvutsrqPONM' }),
    200,
    /gpt-reference/,
  ],
  [
    'can make the model list public',
    (base) => ({ listChecks: (ctx) => (ctx.surface === 'list' ? [] : base.listChecks(ctx)) }),
    models({}),
    200,
    /gpt-reference/,
  ],
  [
    'can make chat public',
    (base) => ({
      listChecks: (ctx) =>
        base.listChecks(ctx).filter((check) => check !== 'credential' && check !== 'balance'),
    }),
    chat({}, {}),
    200,
    /chat.completion/,
  ],
  [
    'can respond to a bad key with 200',
    (base) => ({
      errorStatusOf: (failure, ctx) => (failure.kind === 'bad-key' ? 200 : base.errorStatusOf(failure, ctx)),
    }),
    models({ 'x-api-key': 'sk-no' }),
    200,
    /invalid_api_key/,
  ],
  [
    'can respond to a call of an unknown model',
    () => ({ findModel: (id) => ({ id, protocols: ['chat'], images: true }) }),
    chat({ model: 'nope' }),
    200,
    /This is nope/,
  ],
  [
    'can send an error as an HTML page',
    () => ({
      finish: (answer, ctx) =>
        ctx.failure
          ? { ...answer, content: { kind: 'text', mediaType: 'text/html', text: '<h1>Bad Gateway</h1>' } }
          : answer,
    }),
    chat({ model: 'nope' }),
    400,
    /^<h1>/,
  ],
  [
    'can send the code as a string',
    (base) => ({
      createModelErrorBody: (refusal, ctx) => ({
        error: { message: refusal.message, type: refusal.type, code: String(refusal.status), details: null },
        trace_id: ctx.traceId,
      }),
      findKey: base.findKey,
    }),
    chat({ model: 'nope' }),
    400,
    /"code":"400"/,
  ],
  [
    'can serve an account without a balance',
    () => ({ canPay: () => true }),
    chat({}, depleted),
    200,
    /chat.completion/,
  ],
  [
    'can respond to a refused streaming call with an empty stream',
    () => ({
      finish: (answer, ctx) =>
        ctx.streamed && ctx.failure
          ? { ...answer, status: 200, content: { kind: 'events', events: [] } }
          : answer,
    }),
    chat({ stream: true, model: 'nope' }),
    200,
    /^$/,
  ],
  [
    'can show a record of another account',
    () => ({ mayRead: () => true }),
    { path: foreign, headers: good },
    200,
    /cost/,
  ],
  [
    'can respond to a request ID that is not a UUID with an internal error',
    () => ({
      isRequestId: () => {
        throw new Error('no UUID');
      },
    }),
    { path: '/v1/billing/requests?request_id=x', headers: good },
    500,
    /internal_error/,
  ],
];
test.each(faults)('a replaced decision %s', async (_name, decisions, sent, status, body) => {
  await withServer(decisions, async (server) => {
    const answer = await send(server, sent);
    expect({ status: answer.status, body: answer.body.toString() }).toEqual({
      status,
      body: expect.stringMatching(body),
    });
  });
  await withServer(
    () => ({}),
    async (server) => {
      const answer = await send(server, sent);
      expect(answer.status === status && body.test(answer.body.toString())).toBe(false);
    },
  );
});

test('a replaced decision can apply to every third request', async () => {
  const decisions: Overrides = (base) => ({
    isKeyValid: (one, ctx) => base.isKeyValid(one, ctx) && ctx.number % 3 !== 0,
  });
  await withServer(decisions, async (server) => {
    const statuses: number[] = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await send(server, models())).status);
    expect(statuses).toEqual([200, 200, 401, 200, 200, 401]);
  });
});

test('responds in the right form if a decision throws while the error response is created', async () => {
  const broken: Overrides = () => ({
    errorMessageOf: () => {
      throw new Error('thrown on purpose');
    },
  });
  await withServer(broken, async (server) => {
    const answer = await send(server, models({}));
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body.toString())).toMatchObject({ error: { code: 500, details: null } });
  });
});

describe('the transfer of a response', () => {
  const add =
    (...headers: Header[]): Overrides =>
    () => ({ transmit: (wire) => ({ ...wire, headers: [...wire.headers, ...headers] }) });

  test('keeps the case of the header names `X-Upper` and `Connection`', async () => {
    const answer = await withServer(add(['X-Upper', 'a'], ['Connection', 'close']), (server) =>
      send(server, models()),
    );
    expect(answer.headers).toEqual(expect.arrayContaining(['X-Upper', 'Connection', 'close']));
  });

  test('can compress, chunk and delay a body', async () => {
    const decisions: Overrides = () => ({
      transmit: (wire) => ({
        ...wire,
        after: 20,
        framing: 'chunked',
        headers: [...wire.headers, ['content-encoding', 'gzip']],
        chunks: [...gzipSync(joinChunks(wire))].map((byte) => ({
          after: 0,
          data: Uint8Array.of(byte),
        })),
      }),
    });
    await withServer(decisions, async (server) => {
      const started = performance.now();
      const answer = await fetch(`${server.url}/v1/models`, { headers: good });
      expect(await answer.text()).toContain('gpt-reference');
      expect(answer.headers.get('transfer-encoding')).toBe('chunked');
      expect(performance.now() - started).toBeGreaterThan(18);
    });
  });

  test('can change the framing of a stream, and cut the stream', async () => {
    const frame: Overrides = () => ({ frameEvent: (_event, data) => `: ping\r\ndata: ${data}\r\n\r\n` });
    const answer = await withServer(frame, (server) => send(server, chat({ stream: true })));
    expect(answer.body.toString()).toMatch(/^: ping\r\ndata: \{/);
    const cut: Overrides = () => ({ transmit: (wire) => ({ ...wire, ending: 'cut' }) });
    await expect(withServer(cut, (server) => send(server, chat({ stream: true })))).rejects.toThrow(
      /aborted|hang up/,
    );
  });

  test('sends a stream in several chunks', async () => {
    await withServer(
      () => ({}),
      async (server) => {
        const { path, ...rest } = chat({ stream: true });
        const answer = await fetch(`${server.url}${path}`, { method: 'POST', ...rest });
        let chunks = 0;
        for await (const _chunk of answer.body ?? []) chunks += 1;
        expect(chunks).toBeGreaterThan(2);
      },
    );
  });
});

test('serves operations at other paths, with parameters in other places and times in other formats', async () => {
  const server = await createReferenceServer({
    profile: {
      timeFormat: 'iso-date',
      stream: { parameter: 'streaming' },
      operations: {
        usage: { request: 'POST /v1/reports', body: { range: { from: '{start}', to: '{end}' } } },
        record: 'GET /v1/logs/{request_id}',
        balance: null,
      },
    },
  });
  const report = (from: string, to: string): RequestParts => ({
    path: '/v1/reports',
    headers: good,
    body: JSON.stringify({ range: { from, to } }),
  });
  const day = new Date().toISOString().slice(0, 10);
  expect((await send(server, report('2020-01-01', day))).status).toBe(200);
  const reversed = await send(server, report(day, '2020-01-01'));
  expect(reversed.status).toBe(400);
  expect(reversed.body.toString()).toContain('range.from');
  expect((await send(server, { path: `/v1/logs/${server.profile.records.own}`, headers: good })).status).toBe(
    200,
  );
  expect((await send(server, { path: '/v1/logs/word', headers: good })).status).toBe(400);
  expect((await send(server, { path: '/v1/billing/balance', headers: good })).status).toBe(404);
  expect((await send(server, chat({ streaming: true }))).body.toString()).toMatch(/^data: /);
  expect(server.profile.operations.balance).toBeNull();
  await server.close();
});
