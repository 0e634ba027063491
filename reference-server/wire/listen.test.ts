import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../index.ts';
import { isObject } from '../json.ts';

const lines: string[] = [];
let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer({
    log: (line) => lines.push(line),
    decisions: (base) => ({
      parseBody: (bytes, ctx) => {
        if (Buffer.from(bytes).includes('throw')) throw new Error('thrown on purpose with sk-secret inside');
        return base.parseBody(bytes, ctx);
      },
    }),
  });
});
afterAll(() => server.close());

/** Sends raw bytes, and returns everything that the server sends before the connection closes. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const head = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'host: x', 'connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const key = () => `x-api-key: ${server.profile.keys.valid}`;
const chat = 'POST /v1/chat/completions';

function expectShape(answer: string, status: number, shape: 'model' | 'billing') {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer).toMatch(/\r\nx-trace-id: [0-9a-f-]{36}\r\n/);
  const body: unknown = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
  const error = isObject(body) && isObject(body.error) ? body.error : {};
  expect(Object.keys(error).sort()).toEqual(
    shape === 'billing' ? ['code', 'message'] : ['code', 'details', 'message', 'type'],
  );
  if (shape === 'model') expect(error.code).toBe(status);
  expect(answer).not.toContain('.ts:');
}

const long = 'm'.repeat(3000);
const cases: readonly (readonly [string, () => string, number, 'model' | 'billing'])[] = [
  ['an unknown path', () => head('GET /nope'), 404, 'model'],
  ['an unknown billing path', () => head('GET /v1/billing/nope'), 404, 'billing'],
  ['the root', () => head('GET /'), 404, 'model'],
  ['a base URL that ends in /v1', () => head('POST /v1/v1/chat/completions'), 404, 'model'],
  ['a wrong method', () => head('GET /v1/chat/completions'), 405, 'model'],
  ['a wrong billing method', () => head('DELETE /v1/billing/usage'), 405, 'billing'],
  ['OPTIONS', () => head('OPTIONS /v1/models'), 405, 'model'],
  ['OPTIONS of the server', () => head('OPTIONS *'), 404, 'model'],
  ['TRACE', () => head('TRACE /v1/models'), 405, 'model'],
  ['a rare method', () => head('LINK /v1/models'), 405, 'model'],
  ['a bad percent-encoding', () => head('GET /%zz'), 400, 'model'],
  ['an overlong encoding', () => head('GET /v1/models/%c0%af', key()), 400, 'model'],
  [
    'a bad percent-encoding in the query',
    () => head('GET /v1/billing/requests?request_id=%zz', key()),
    400,
    'billing',
  ],
  ['a long model id', () => head(`GET /v1/models/${long}`, key()), 400, 'model'],
  ['an absolute target', () => head('GET http://elsewhere/v1/models'), 401, 'model'],
  [
    'an invalid content type',
    () => `${head(chat, key(), 'content-type: ;;', 'content-length: 1')}{`,
    400,
    'model',
  ],
  ['no content type', () => `${head(chat, key(), 'content-length: 1')}{`, 400, 'model'],
  ['no body at all', () => head(chat, key()), 400, 'model'],
  ['bytes that are not UTF-8', () => `${head(chat, key(), 'content-length: 2')}"\u00ff`, 400, 'model'],
  ['a thrown error', () => `${head(chat, key(), 'content-length: 7')}"throw"`, 500, 'model'],
  ['an unknown expectation', () => head(chat, 'expect: a miracle'), 401, 'model'],
  ['no host', () => 'GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n', 401, 'model'],
  ['HTTP/1.0', () => 'GET /v1/models HTTP/1.0\r\n\r\n', 401, 'model'],
  ['bytes that are not HTTP', () => 'GARBAGE\r\n\r\n', 400, 'model'],
  ['headers that are too large', () => head('GET /v1/models', `x-big: ${'a'.repeat(20_000)}`), 431, 'model'],
  ['two lengths', () => head(chat, 'content-length: 1', 'content-length: 2'), 400, 'model'],
  ['a broken chunk', () => `${head(chat, key(), 'transfer-encoding: chunked')}zz\r\n`, 400, 'model'],
];
test.each(cases)('responds to %s in the right error form', async (_name, text, status, shape) => {
  expectShape(await raw(text()), status, shape);
});

test('refuses a body that exceeds the limit, and keeps the connection open', async () => {
  const body = `{"model":"${'m'.repeat(5 * 1024 * 1024)}"}`;
  const large = head(chat, key(), `content-length: ${body.length}`).replace('connection: close\r\n', '');
  const answer = await raw(large + body + head('GET /v1/models'));
  const [first, second] = answer.split(/(?=HTTP\/1.1 401)/);
  expectShape(first ?? '', 413, 'model');
  expectShape(second ?? '', 401, 'model');
});

test('responds to pipelined requests in order, and to an unreadable request last', async () => {
  const kept = (text: string) => text.replace('connection: close\r\n', '');
  const body = '{"model":"gpt-reference","messages":[]}';
  const call = kept(head(chat, key(), `content-length: ${body.length}`)) + body;
  const answer = await raw(`${call}${kept(head('GET /v1/models'))}${call}no request\r\n\r\n`);
  expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '401',
    '200',
    '400',
  ]);
});

test('refuses a chunked body that exceeds the limit', async () => {
  const part = `100000\r\n${'m'.repeat(1024 * 1024)}\r\n`;
  const answer = await raw(`${head(chat, key(), 'transfer-encoding: chunked')}${part.repeat(5)}0\r\n\r\n`);
  expectShape(answer, 413, 'model');
});

test('responds to HEAD as to GET, but without a body', async () => {
  const answers = await Promise.all([
    raw(head('HEAD /v1/models', key())),
    raw(head('HEAD /v1/models')),
    raw(head('HEAD /v1/chat/completions')),
  ]);
  expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['200', '401', '405']);
  for (const answer of answers) expect(answer.endsWith('\r\n\r\n')).toBe(true);
});

test('survives clients that close the connection in the middle of a stream or a body', async () => {
  const { hostname, port } = new URL(server.url);
  const body = '{"model":"gpt-reference","stream":true,"messages":[]}';
  for (const text of [
    head(chat, key(), `content-length: ${body.length}`) + body,
    head(chat, key(), 'content-length: 100'),
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, () => setTimeout(leave, 3)));
      const leave = () => socket.destroy();
      socket.on('close', () => resolve());
    });
  }
  expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
});

describe('the log', () => {
  test('has one line per request, without keys', async () => {
    lines.length = 0;
    const { valid, deleted } = server.profile.keys;
    await raw(head(`GET /v1/models?key=${valid}`, `authorization: Bearer ${valid}`));
    await raw(head(`GET /${valid}/${encodeURIComponent(`sk ${deleted}`)}`, `x-api-key: ${deleted}`));
    await raw(head(`GET /v1/models/${deleted}`, 'x-api-key: sk-mine'));
    await raw(`${head(chat, key(), 'content-length: 7')}"throw"`);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/ GET models key=valid 200 \d+ms [0-9a-f-]{36}$/);
    expect(lines[3]).toContain('thrown on purpose');
    for (const line of lines) expect(line).not.toMatch(/sk-|Reference-|[\r\n]/);
  });
});

test('createReferenceServer rejects if the port is in use', async () => {
  const port = Number(new URL(server.url).port);
  await expect(createReferenceServer({ port })).rejects.toThrow(/EADDRINUSE/);
});

test('close() lets a running stream finish', async () => {
  const slow = await createReferenceServer({ decisions: () => ({ choosePause: () => 20 }) });
  const answer = await fetch(`${slow.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${slow.profile.keys.valid}` },
    body: '{"model":"gpt-reference","stream":true,"messages":[]}',
  });
  const [text] = await Promise.all([answer.text(), slow.close()]);
  expect(text).toContain('[DONE]');
  await expect(fetch(slow.url)).rejects.toThrow();
});
