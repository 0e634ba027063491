import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import type { KeyRole } from '../../common/profile-values.ts';
import type { PartialProfile } from '../gateway/profile.ts';
import {
  combineSetups,
  createReferenceServer,
  faults,
  type ReferenceServer,
  type Situation,
  variants,
} from '../index.ts';
import { routes } from './api.ts';
import type { ConsoleSuite, SuiteResult } from './suite.ts';

type SuiteRun = {
  readonly profile: PartialProfile;
  readonly address: string;
  readonly onProgress: Parameters<ConsoleSuite['run']>[2];
  readonly signal: AbortSignal;
  readonly end: (result: SuiteResult) => void;
  readonly fail: (error: Error) => void;
};
/** The runs of `suite`, each of which a test ends. */
const runs: SuiteRun[] = [];
const suite: ConsoleSuite = {
  about: 'A run sends two requests.',
  run: (profile, address, onProgress, signal) =>
    new Promise((end, fail) => {
      runs.push({ profile, address, onProgress, signal, end, fail });
    }),
  curlLine: ({ method, url }) => `curl -X ${method} ${url}`,
};

let gateway: ReferenceServer;
let guarded: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer({ console: true, suite });
  guarded = await createReferenceServer({ console: true, consolePassword: 'let me in' });
});
afterAll(() => Promise.all([gateway.close(), guarded.close()]));

const json = { 'content-type': 'application/json' };

/** Sends a request with exactly these headers, and returns the status, the body and the headers. */
async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
  { url }: Pick<ReferenceServer, 'url'> = gateway,
): Promise<{
  readonly status: number | undefined;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}> {
  const sent = request(url + path, { method, headers });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  let text = '';
  for await (const piece of answer) text += piece;
  return { status: answer.statusCode, text, headers: answer.headers };
}

describe('a change', () => {
  const create = (headers: Readonly<Record<string, string>>, body = '{}') =>
    send('POST', '/console/api/keys', headers, body);
  const own = (): string => gateway.url;
  test.each<[string, () => Readonly<Record<string, string>>, number]>([
    [
      'from the page of the console',
      () => ({ ...json, origin: own(), 'sec-fetch-site': 'same-origin' }),
      201,
    ],
    ['from a client that is not a browser', () => json, 201],
    ['from another site', () => ({ ...json, origin: 'https://attacker.example' }), 403],
    [
      'from another port of this machine',
      () => ({ ...json, origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }),
      403,
    ],
    ['from a page without an origin', () => ({ ...json, origin: 'null' }), 403],
    ['from another site without Origin', () => ({ ...json, 'sec-fetch-site': 'cross-site' }), 403],
    ['from a form', () => ({ 'content-type': 'application/x-www-form-urlencoded' }), 415],
    ['from a form in plain text', () => ({ 'content-type': 'text/plain' }), 415],
    ['through a name that points to this machine', () => ({ ...json, host: 'attacker.example' }), 403],
  ])(
    'is accepted only from the console and from clients other than browsers: %s',
    async (_, headers, status) => {
      const before = gateway.keys.list().length;
      expect((await create(headers())).status).toBe(status);
      expect(gateway.keys.list().length - before).toBe(status === 201 ? 1 : 0);
    },
  );
});

describe('the API', () => {
  test.each<[string, string, string | undefined, number, RegExp]>([
    ['GET', '/accounts', undefined, 200, /"id":"acme","balance":\d+/],
    ['POST', '/accounts/empty/top-ups', '{"credits":5}', 200, /"balance":5/],
    ['POST', '/accounts/empty/drain', '{}', 200, /"balance":0/],
    [
      'POST',
      '/accounts/empty/top-ups',
      '{"credits":"many"}',
      400,
      /A top-up must be an integer of 1 or more/,
    ],
    ['POST', '/accounts/none/top-ups', '{"credits":5}', 404, /No account has the ID/],
    ['POST', '/keys', '{"name":7}', 400, /`name` must be a string/],
    ['POST', '/keys', '{', 400, /not JSON/],
    ['POST', '/keys', '[]', 400, /JSON object/],
    ['DELETE', '/keys/none', undefined, 404, /No key has the ID/],
    ['PUT', '/keys', '{}', 405, /supports only GET, POST\./],
    ['GET', '/nothing', undefined, 404, /The path does not exist/],
    ['GET', '/requests/999999', undefined, 404, /stores no request/],
    ['PUT', '/situations', '{"situations":[{"change":{"after":"1ms"}}]}', 200, /"after":"1ms"/],
    ['PUT', '/situations', '{"situations":[]}', 200, /^\[\]$/],
    ['PUT', '/situations', '{}', 400, /must be an array/],
    ['POST', '/situations', '{"fault":"none"}', 400, /no fault/],
    ['DELETE', '/situations/99', undefined, 404, /No situation/],
    ['GET', '/rules', undefined, 200, /^\[\]$/],
    ['GET', '/conformance', undefined, 200, /"state":"none"/],
  ])('%s %s with %s: %i', async (method, path, body, status, text) => {
    const answer = await send(method, `/console/api${path}`, json, body);
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(text);
  });
  test('refuses long bodies', async () => {
    expect((await send('POST', '/console/api/keys', json, 'x'.repeat(70_000))).status).toBe(413);
  });
  test('is described in OpenAPI', () => {
    const { paths } = parse(
      readFileSync(new URL('../../specs/console-openapi.yaml', import.meta.url), 'utf8'),
    );
    const described = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(Object(item))
        .filter((name) => name !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`),
    );
    expect(described.sort()).toEqual(
      routes.map(({ method, path }) => `${method} /console/api${path}`).sort(),
    );
  });
});

describe('the suite of the console', () => {
  const stateOf = async (method = 'GET'): Promise<unknown> =>
    JSON.parse((await send(method, '/console/api/conformance', json)).text);
  const read = async (path: string): Promise<string> =>
    (await send('GET', `/console/conformance${path}`)).text;

  test('runs once at a time, and shows its progress, result and report', async () => {
    expect(await read('')).toContain('A run sends two requests.');
    expect(await stateOf('POST')).toMatchObject({ state: 'running', total: 0 });
    await expect.poll(() => runs.length).toBe(1);
    runs.at(-1)?.onProgress({ done: 1, total: 2 });
    expect(await stateOf('POST')).toMatchObject({ state: 'running', done: 1, total: 2 });
    expect(await read('')).toMatch(/aria-disabled="true"[\s\S]*1 of 2 cases/);
    expect(runs).toHaveLength(1);
    expect(await read('/report')).toMatch(/No run has finished yet/);
    const html = async (): Promise<string> => '<p>The report.</p>';
    runs
      .at(-1)
      ?.end({ verdict: 'violates', title: '✗ Violates', violated: ['auth/one'], requirements: 2, html });
    await expect.poll(() => stateOf()).toMatchObject({ state: 'done', done: 2, violated: ['auth/one'] });
    expect(await read('')).toContain('<p class="verdict violates">✗ Violates</p>');
    expect(await read('')).toMatch(/1 of 2 requirements failed[\s\S]*report#requirement\/auth\/one"/);
    expect(await read('')).toContain('aria-disabled="false"');
    expect(await read('/report')).toBe('<p>The report.</p>');
  });
  test('shows why a run failed, and keeps the last report', async () => {
    await stateOf('POST');
    await expect.poll(() => runs.length).toBe(2);
    runs.at(-1)?.fail(new Error('The network is down.'));
    await expect.poll(() => stateOf()).toMatchObject({ state: 'failed', problem: 'The network is down.' });
    expect(await read('')).toContain('The run failed: The network is down.');
    expect(await read('/report')).toBe('<p>The report.</p>');
  });
  test('is stopped when the server closes', async () => {
    const own = await createReferenceServer({ console: true, suite });
    await send('POST', '/console/api/conformance', json, '{}', own);
    await expect.poll(() => runs.length).toBe(3);
    const run = runs.at(-1);
    expect(run?.signal.aborted).toBe(false);
    await own.close();
    expect(run?.signal.aborted).toBe(true);
    await expect(fetch(`${run?.address}/v1/models`)).rejects.toThrow();
  });
  test('has a copy of the gateway to itself, as the gateway is at the start of the run', async () => {
    const own = await createReferenceServer({
      console: true,
      suite,
      rules: [{ match: { path: '/v1/nothing' }, change: { status: 418 } }],
      ...faults.find(({ id }) => id === 'bad-key/deleted-works')?.setup(),
    });
    onTestFinished(() => own.close());
    const { value } = own.keys.create({ name: 'my app' });
    own.accounts.topUp('acme', 7);
    own.situations.add({ match: { operation: 'models', times: 1 }, change: { refuse: 'too-frequent' } });
    const before = JSON.stringify([own.accounts.list(), own.keys.list(), own.situations.list()]);
    const length = runs.length;
    await send('POST', '/console/api/conformance', json, '{}', own);
    await expect.poll(() => runs.length).toBe(length + 1);
    const run = runs.at(-1);
    const copy = { url: run?.address ?? '' };
    expect(run?.profile.baseUrl).toBe(own.url);
    expect(copy.url).not.toBe(own.url);
    const call = (method: string, path: string, key: string, body?: object) =>
      send(method, path, { ...json, 'x-api-key': key }, body && JSON.stringify(body), copy);
    const chat = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }] };
    const statuses = [
      await call('GET', '/v1/models', value),
      await call('GET', '/v1/models', value),
      await call('POST', '/v1/chat/completions', value, chat),
      await call('POST', '/v1/chat/completions', own.profile.keys.deleted ?? '', chat),
      await call('GET', '/v1/nothing', value),
      await call('GET', '/console', value),
    ].map(({ status }) => status);
    expect(statuses).toEqual([429, 200, 200, 200, 418, 404]);
    expect(own.requests()).toEqual([]);
    expect(JSON.stringify([own.accounts.list(), own.keys.list(), own.situations.list()])).toBe(before);
    run?.end({ verdict: 'conforms', title: '✓', violated: [], requirements: 1, html: async () => '' });
    await expect.poll(() => fetch(copy.url).catch(() => 'closed')).toBe('closed');
  });
  test('writes the curl line of a request', async () => {
    await send('GET', '/v1/nothing?a=b');
    const { text } = await send('GET', '/console/api/requests/1', json);
    expect(JSON.parse(text).curl).toBe(`curl -X GET ${gateway.url}/v1/nothing?a=b`);
  });
  test('may be missing: no page Conformance, no curl lines, and the API says why', async () => {
    const plain = await createReferenceServer({ console: true });
    const get = (path: string) => send('GET', path, json, undefined, plain);
    expect((await get('/console')).text).not.toContain('Conformance');
    expect((await get('/console/conformance')).status).toBe(404);
    expect((await get('/console/conformance/report')).text).toMatch(/no suite to run/);
    const { status, text } = await get('/console/api/conformance');
    expect([status, text]).toEqual([404, expect.stringMatching(/no suite to run.*option `suite`/)]);
    await get('/v1/nothing');
    expect(JSON.parse((await get('/console/api/requests/1')).text).curl).toBeNull();
    await plain.close();
  });
});

describe('what the start of the gateway set', () => {
  test('is listed in Situations and Conformance: faults, variants, rules and injected rules', async () => {
    const setup = combineSetups([
      faults.find(({ id }) => id === 'bad-key/deleted-works')?.setup() ?? {},
      variants.find(({ id }) => id === 'keys/very-long')?.setup() ?? {},
    ]);
    const injected = { throttle: 2, latencyMs: 5, breakStream: 3 };
    const rules = [{ match: { path: '/v1/nothing' }, change: { status: 418 } }];
    const own = await createReferenceServer({ console: true, suite, ...setup, ...injected, rules });
    onTestFinished(() => own.close());
    for (const path of ['/situations', '/conformance']) {
      const { text } = await send('GET', `/console${path}`, {}, undefined, own);
      for (const title of [
        'Fault bad-key/deleted-works',
        'Variant keys/very-long',
        'Rule 1: status 418 – path: /v1/nothing',
        'Rule 2: 429 too many requests – all operations, each operation apart',
        'Rule 3: pause of 5ms',
        'Rule 4: connection breaks after 3 chunks – streams',
      ])
        expect(text).toContain(title);
    }
  });
  test('may be nothing', async () => {
    const { text } = await send('GET', '/console/conformance');
    expect(text).toContain('Switched on: nothing.');
  });
});

describe('the console', () => {
  test('can be read only through a loopback name', async () => {
    expect((await send('GET', '/console/api/keys', { host: 'attacker.example:80' })).status).toBe(403);
    expect((await send('GET', '/console', { host: `localhost:${new URL(gateway.url).port}` })).status).toBe(
      200,
    );
  });
  test('allows scripts and styles only from its own origin', async () => {
    const { headers } = await send('GET', '/console');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect((await send('GET', '/console/console.js')).headers['content-type']).toMatch(/^text\/javascript/);
  });
  test('with a password, requires the password at any host', async () => {
    const ask = (password?: string) => {
      const header = `Basic ${Buffer.from(`anyone:${password}`).toString('base64')}`;
      const auth: Readonly<Record<string, string>> = password === undefined ? {} : { authorization: header };
      return send('GET', '/console', { host: 'gateway.example', ...auth }, undefined, guarded);
    };
    expect((await ask()).headers['www-authenticate']).toMatch(/^Basic/);
    expect((await ask('wrong')).status).toBe(401);
    expect((await ask('let me in')).status).toBe(200);
  });
  test('has no password if the given password is empty', async () => {
    const open = await createReferenceServer({ console: true, consolePassword: '' });
    expect(open.profile.setup).toEqual(gateway.profile.setup);
    expect((await send('GET', '/console', {}, undefined, open)).status).toBe(200);
    await open.close();
  });
  test('is off by default', async () => {
    const plain = await createReferenceServer();
    expect((await send('GET', '/console', {}, undefined, plain)).status).toBe(404);
    await plain.close();
  });
});

describe('the cause of a response', () => {
  const ruled = (): Promise<ReferenceServer<PartialProfile>> =>
    createReferenceServer({
      console: true,
      rules: [
        { match: { path: '/v1/nothing' }, change: { after: '1ms' } },
        { match: { operation: 'models' }, change: { status: 418 } },
      ],
      ...faults.find(({ id }) => id === 'bad-key/deleted-works')?.setup(),
    });
  test.each<[string, Situation | undefined, string, KeyRole, unknown]>([
    [
      'a situation that refuses, instead of the clause of its error',
      { match: { operation: 'chat' }, change: { refuse: 'missing-credential' } },
      '/v1/chat/completions',
      'valid',
      {
        status: 401,
        clause: null,
        causes: [
          {
            title: 'Switched on in Situations: refused: missing-credential – chat',
            about: '',
            href: '/console/situations#situation-1',
            determines: true,
          },
        ],
      },
    ],
    [
      'a situation that delays, next to the clause',
      { change: { after: '1ms' } },
      '/v1/chat/completions',
      'valid',
      {
        clause: expect.stringMatching(/^7\.1 400/),
        causes: [{ title: expect.stringMatching(/pause of 1ms/), determines: false }],
      },
    ],
    [
      'a fault that a situation switches on',
      { fault: 'bad-key/valid-key-without-prefix' },
      '/v1/responses',
      'valid',
      { causes: [{ title: 'Switched on in Situations: Fault bad-key/valid-key-without-prefix' }] },
    ],
    [
      'a variant in code, for all requests',
      { variant: 'keys/very-long' },
      '/v1/responses',
      'valid',
      { causes: [{ title: 'Switched on in Situations: Variant keys/very-long' }] },
    ],
    [
      'a rule, with its number',
      undefined,
      '/v1/models',
      'valid',
      { status: 418, clause: null, causes: [{ title: 'Rule 2', href: '/console/situations#rule-2' }] },
    ],
    [
      'a fault with which the gateway was started',
      undefined,
      '/v1/chat/completions',
      'deleted',
      { clause: null, causes: [{ title: 'Fault bad-key/deleted-works', href: null }] },
    ],
    ['nothing', undefined, '/v1/balance', 'valid', { causes: [] }],
  ])('is %s', async (_, situation, path, role, expected) => {
    const server = await ruled();
    onTestFinished(() => server.close());
    if (situation) server.situations.add(situation);
    const method = path === '/v1/models' ? 'GET' : 'POST';
    await send(method, path, { ...json, 'x-api-key': server.profile.keys[role] ?? '' }, undefined, server);
    // What was switched off is still the cause.
    server.situations.set([]);
    const { text } = await send('GET', '/console/api/requests/1', {}, undefined, server);
    expect(JSON.parse(text)).toMatchObject(Object(expected));
    const { text: list } = await send('GET', '/console/api/requests', {}, undefined, server);
    expect(JSON.parse(list).requests[0].causes).toEqual(JSON.parse(text).causes);
  });
});
