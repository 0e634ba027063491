import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createReferenceServer, type ReferenceServer } from '../index.ts';
import { routes } from './api.ts';

let gateway: ReferenceServer;
let guarded: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer({ console: true });
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
  { url } = gateway,
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
