import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../index.ts';
import { listen, type RunningServer } from '../wire/listen.ts';
import { readRequest } from '../wire/read-request.ts';
import type { ServerRequest } from '../wire/request.ts';
import type { Reply } from '../wire/response.ts';
import { writeWire } from '../wire/write-wire.ts';
import { applyRules } from './apply.ts';
import type { Change, Rule } from './rule.ts';
import { createRules } from './rules.ts';

let gateway: ReferenceServer;
let untouched: ReferenceServer;
let fixed: string;
const running: RunningServer[] = [];

beforeAll(async () => {
  gateway = await createReferenceServer();
  untouched = await createReferenceServer();
  fixed = (await ask(untouched.url)).text;
});
afterAll(() => Promise.all([gateway, untouched, ...running].map((server) => server.close())));

const headers = (): Record<string, string> => ({ 'x-api-key': gateway.profile.keys.valid, 'x-app': 'a' });

/** Gets the model list: the parts of the response that every server determines by rules alone. */
async function ask(url: string, more: Record<string, string> = {}) {
  const response = await fetch(`${url}/v1/models?page=2`, { headers: { ...headers(), ...more } }).catch(
    () => undefined,
  );
  const text = await response?.text().catch(() => 'broken');
  return {
    status: response?.status,
    type: response?.headers.get('content-type'),
    added: response?.headers.get('x-added'),
    text: text ?? 'closed',
  };
}

async function serve(
  rules: readonly Rule[],
  handle: (request: ServerRequest) => Reply | Promise<Reply>,
): Promise<string> {
  const respond = applyRules(createRules(rules), handle);
  const server = await listen('127.0.0.1', 0, {
    onRequest: (incoming, response) =>
      void respond(readRequest(incoming)).then((wire) => writeWire(wire, response)),
    onUnreadable: () => '',
  });
  running.push(server);
  return `http://127.0.0.1:${server.port}`;
}

/** A provider that always sends the same JSON, with the status that the request asks for. */
const serveProvider = (rules: readonly Rule[]) =>
  serve(rules, ({ headers: sent }) => ({
    status: Number(sent['x-status'] ?? 200),
    headers: [],
    content: { kind: 'json', value: JSON.parse(fixed) },
  }));

/** A proxy in front of a gateway without rules. */
const serveProxy = (rules: readonly Rule[]) =>
  serve(rules, async ({ method, path, query, headers: { host: _, connection: __, ...sent } }) => {
    const response = await fetch(`${untouched.url}${path}?${query}`, {
      method,
      headers: Object.entries(sent).flatMap(([name, value]): [string, string][] =>
        value === undefined ? [] : [[name, value]],
      ),
    });
    const mediaType = response.headers.get('content-type') ?? '';
    return {
      status: response.status,
      headers: [],
      content: { kind: 'text', mediaType, text: await response.text() },
    };
  });

describe('a gateway, a bare provider and a proxy', () => {
  const inServers = async (rules: readonly Rule[], more?: Record<string, string>) => {
    gateway.rules(rules);
    const urls = [gateway.url, await serveProvider(rules), await serveProxy(rules)];
    const [first, ...others] = await Promise.all(urls.map((url) => ask(url, more)));
    for (const other of others) expect(other).toEqual(first);
    return first;
  };

  test('send the same bytes without a rule', async () => {
    expect(await inServers([])).toMatchObject({ status: 200, text: fixed });
  });

  test.each<[string, Change, object]>([
    ['a status', { status: 503 }, { status: 503 }],
    [
      'a member',
      { body: { '/data/0/id': 'other', '/object': { remove: true } } },
      { text: expect.stringMatching(/^\{"data":\[\{"id":"other"/) },
    ],
    [
      'another form of the body',
      { json: { wrapped: { right: '' } } },
      { text: expect.stringMatching(/^\{"wrapped":\{"object":"list"/) },
    ],
    [
      'a text',
      { text: '<h1>No</h1>', headers: { 'content-type': 'text/html' } },
      { type: 'text/html', text: '<h1>No</h1>' },
    ],
    [
      'events',
      { events: [{ event: 'a', data: { n: { right: '/data/0/id' } } }] },
      { text: expect.stringMatching(/^event: a\ndata: \{"n":"gpt/) },
    ],
    ['no body', { body: 'none' }, { text: '', type: null }],
    [
      'a header',
      { headers: { 'X-Added': 'yes', 'content-type': { remove: true } } },
      { added: 'yes', type: null },
    ],
    ['a broken body', { cut: 0 }, { text: 'broken' }],
    ['a closed connection', { close: 'before-headers' }, { text: 'closed' }],
    ['a compressed body', { encode: 'gzip' }, { status: 200 }],
    ['an answer', { answer: { status: 418, json: [1] } }, { status: 418, text: '[1]' }],
    ['a late answer', { hold: '5ms', after: '5ms', answer: { text: 'late' } }, { text: 'late' }],
  ])('change %s alike', async (_, change, expected) => {
    const seen = await inServers([
      { match: { path: '/v1/*', query: { page: '2' }, headers: { 'x-app': 'a' } }, change },
    ]);
    expect(seen).toMatchObject(expected);
  });

  test.each<[string, Rule['match'], number]>([
    ['another path', { path: '/v2/*' }, 200],
    ['the place of the key', { place: 'x-api-key', credential: 'sk-*' }, 599],
    ['a marker', { marker: 'sk-Reference-Valid' }, 599],
    ['no stream', { streamed: true }, 200],
    ['no refusal', { refused: false }, 599],
    ['every second request', { every: 2 }, 200],
  ])('match %s alike', async (_, match, status) => {
    expect((await inServers([{ match: match ?? {}, change: { status: 599 } }]))?.status).toBe(status);
  });
});

test('a server without reasons knows refused requests by their status', async () => {
  const url = await serveProvider([{ match: { refused: true }, change: { text: 'no' } }]);
  expect((await ask(url)).text).toBe(fixed);
  expect(await ask(url, { 'x-status': '402' })).toMatchObject({ status: 402, text: 'no' });
});

test.each<[string, Rule]>([
  ['key', { match: { key: 'valid' }, change: { status: 500 } }],
  ['operation', { match: { not: { operation: 'chat' } }, change: { status: 500 } }],
  ['invalid', { match: { invalid: { at: 'model' } }, change: { status: 500 } }],
  ['refused', { match: { refused: 'bad-key' }, change: { status: 500 } }],
  ['refuse', { change: [{ status: 500 }, { refuse: 'bad-key' }] }],
  ['error', { change: { error: 'internal' } }],
])('a server without a gateway refuses the word `%s`', (word, rule) => {
  expect(() =>
    applyRules(createRules([rule]), () => ({ status: 200, headers: [], content: { kind: 'nothing' } })),
  ).toThrow(`\`${word}\` needs the gateway`);
});
