import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { packageRoot } from '../common/package-root.ts';
import { createReferenceServer, type ReferenceServer } from './index.ts';

let server: ReferenceServer;
beforeAll(async () => {
  server = await createReferenceServer();
});
beforeEach(() => server.reset());
afterAll(() => server.close());

const list = async (headers: Readonly<Record<string, string>>, query = ''): Promise<number> =>
  (await fetch(`${server.url}/v1/models${query}`, { headers })).status;

describe('a rule can ignore a difference from a key', () => {
  type Edit = (key: string) => string;
  const rows: readonly (readonly [difference: string, ignored: Edit, counts: Edit])[] = [
    ['quotes', (key) => `"${key}"`, (key) => `"${key}`],
    ['case', (key) => key.toUpperCase(), (key) => key.toUpperCase().slice(1)],
    ['scheme', (key) => `Bearer ${key}`, (key) => `Basic ${key}`],
    ['non-ascii', (key) => `${key}é`, (key) => `${key}e`],
    ['after-space', (key) => `${key} x`, (key) => `${key},x`],
    ['after-comma', (key) => `${key},x`, (key) => `${key} x`],
    ['after-dash', (key) => `${key}-x`, (key) => `${key}x`],
    ['after-key', (key) => `${key}x`, (key) => key.slice(0, -1)],
    ['missing-prefix', (key) => key.slice(3), (key) => key.slice(4)],
    ['missing-end', (key) => key.slice(0, 16), (key) => key.slice(0, 15)],
    [
      'missing-half',
      (key) => key.slice(0, Math.ceil(key.length / 2)),
      (key) => key.slice(0, Math.ceil(key.length / 2) + 1),
    ],
    ['missing-last', (key) => key.slice(0, -1), (key) => key.slice(0, -2)],
    ['other-prefix', (key) => `pk-${key.slice(3)}`, (key) => `pk-x${key.slice(4)}`],
    ['other-first', (key) => `sk-x${key.slice(4)}`, (key) => `sk-xx${key.slice(5)}`],
    [
      'other-middle',
      (key) => key.slice(0, 7) + 'x'.repeat(key.length - 11) + key.slice(-4),
      (key) => key.slice(0, 7) + 'x'.repeat(key.length - 10) + key.slice(-4),
    ],
    ['other-last', (key) => `${key.slice(0, -1)}x`, (key) => `${key.slice(0, -2)}xx`],
  ];
  test.each(rows)('%s', async (difference, ignored, counts) => {
    const statusOf = (edit: Edit): Promise<number> => list({ 'x-api-key': edit(server.profile.keys.valid) });
    expect(await statusOf(ignored)).toBe(401);
    server.rules([{ change: { keys: { ignore: [difference] } } }]);
    expect([await statusOf(ignored), await statusOf(counts)]).toEqual([200, 401]);
  });

  test('and each difference of the schema is tested', () => {
    const schema = JSON.parse(readFileSync(join(packageRoot, 'specs/schemas/rules.schema.json'), 'utf8'));
    const known = schema.$defs.change.properties.keys.properties.ignore.items.enum;
    expect(rows.map(([name]) => name)).toEqual(known);
  });
});

describe('a rule can read keys from another place', () => {
  const basic = (text: string): string => `Basic ${btoa(text)}`;
  test.each<[string, (key: string) => Readonly<Record<string, string>>, string?]>([
    ['apikey', (key) => ({ apikey: key })],
    ['Proxy-Authorization', (key) => ({ 'proxy-authorization': `Bearer ${key}` })],
    ['authorization', (key) => ({ authorization: key })],
    ['cookie:api_key', (key) => ({ cookie: `a=b; api_key=${key}` })],
    ['query:key', () => ({}), '?key='],
    ['basic:user', (key) => ({ authorization: basic(`${key}:`) })],
    ['basic:password', (key) => ({ authorization: basic(`user:${key}`) })],
  ])('%s', async (place, headersOf, query) => {
    const { valid, deleted } = server.profile.keys;
    const statusOf = (key: string): Promise<number> => list(headersOf(key), query && query + key);
    const typeOf = async (key: string): Promise<string> => {
      const response = await fetch(`${server.url}/v1/models${query ? query + key : ''}`, {
        headers: headersOf(key),
      });
      return (await response.json()).error.type;
    };
    expect(await statusOf(valid)).toBe(401);
    expect(await typeOf(deleted)).toBe('missing_auth_credential');
    server.rules([{ match: { operation: 'models' }, change: { keys: { from: [place] } } }]);
    expect(await statusOf(valid)).toBe(200);
    expect(await typeOf(deleted)).toBe('invalid_bearer_token');
    expect((await fetch(`${server.url}/v1beta/models`, { headers: headersOf(valid) })).status).toBe(401);
  });

  test('but not several words in a header', async () => {
    server.rules([{ change: { keys: { from: ['authorization'] } } }]);
    const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: 'Basic YTpi' } });
    expect(await response.json()).toMatchObject({ error: { type: 'missing_auth_credential' } });
  });

  test('the body, if it is read first', async () => {
    const statusOf = async (api_key: unknown): Promise<number> => {
      const body = { model: 'gpt-reference', messages: [{ role: 'user', content: 'hi' }], api_key };
      const init = { method: 'POST', body: JSON.stringify(body) };
      return (await fetch(`${server.url}/v1/chat/completions`, init)).status;
    };
    const { valid } = server.profile.keys;
    server.rules([{ change: { first: ['body'], keys: { from: ['body:/api_key'] } } }]);
    expect([await statusOf(valid), await statusOf([valid]), await statusOf('sk-x')]).toEqual([200, 401, 401]);
  });
});
