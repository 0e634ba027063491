// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataFileError } from '../../contract/data-file.ts';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { modelOperation, type Profile, UsageError } from './profile.ts';
import { type ProfileOverrides, profileOf, readProfile } from './read-profile.ts';

let catalog: Catalog;
const folder = mkdtempSync(join(tmpdir(), 'profile-'));
const path = join(folder, 'c.yaml');
beforeAll(async () => {
  catalog = await loadCatalog();
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(
  text: string,
  environment: Record<string, string> = {},
  overrides: ProfileOverrides = {},
): Profile {
  writeFileSync(path, text);
  return readProfile(path, overrides, environment, catalog);
}
/** The error that reading throws, with the folder left out. */
function complaint(action: () => unknown): { error: Error; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof DataFileError || error instanceof UsageError)
      return { error, message: error.message.replace(`${folder}/`, '') };
    throw error;
  }
  throw new Error('it complained of nothing');
}
const base = 'baseUrl: http://x\nkeys: { valid: sk-a }\n';

describe('a profile', () => {
  test('of a base URL and a key has the defaults', () => {
    const profile = read(base);
    expect(profile).toMatchObject({
      baseUrl: 'http://x',
      headers: {},
      keys: { valid: 'sk-a' },
      models: { chat: {}, responses: {}, messages: {}, generate: {} },
      versionHeader: 'anthropic-version',
      timeFormat: 'unix-seconds',
      streamParameter: 'stream',
      records: {},
      rateLimit: undefined,
    });
    expect(profile.operations).toMatchObject({
      chat: { method: 'POST', path: '/v1/chat/completions', stated: 'spec' },
      messages: { method: 'POST', path: '/v1/messages', stated: 'guess' },
      streamGenerate: { path: '/v1beta/models/{model}:streamGenerateContent?alt=sse', stated: 'guess' },
      balance: undefined,
    });
  });
  test('is overridden by headers, models and request lines of the command line', () => {
    const text = `${base}headers: { X-Tenant: a, x-route: r }
models: { chat: { good: m, textOnly: t }, responses: r }
operations: { messages: null }`;
    const { headers, models, operations } = read(
      text,
      {},
      {
        headers: { 'x-tenant': 'b' },
        models: { chat: 'n' },
        operations: { balance: 'GET /b' },
      },
    );
    expect(headers).toEqual({ 'x-route': 'r', 'x-tenant': 'b' });
    expect(models).toMatchObject({ chat: { good: 'n', textOnly: 't' }, responses: { good: 'r' } });
    expect([operations.messages, operations.balance?.path]).toEqual([undefined, '/b']);
  });
  test.each<[string, ProfileOverrides, Record<string, string>]>([
    [
      'keys: { valid: "${GATEWAY_MY_KEY}", deleted: "${GATEWAY_GONE}" }',
      {},
      { valid: 'GATEWAY_MY_KEY', deleted: 'GATEWAY_GONE' },
    ],
    ['keys: { valid: "sk-${GATEWAY_MY_KEY}", deleted: sk-b }', {}, {}],
    [
      'keys: { valid: "${GATEWAY_MY_KEY}", deleted: "${GATEWAY_GONE}" }',
      { key: 'sk-other' },
      { deleted: 'GATEWAY_GONE' },
    ],
  ])('knows the variables of the keys in %s', (keys, overrides, variables) => {
    const { keyVariables } = read(
      `baseUrl: http://x\n${keys}\n`,
      { GATEWAY_MY_KEY: 'sk-a', GATEWAY_GONE: 'sk-c' },
      overrides,
    );
    expect(keyVariables).toEqual(variables);
  });
  test('without keys has those of the environment, with their variables', () => {
    const { keys, keyVariables } = read('baseUrl: http://x\n', { GATEWAY_API_KEY: 'sk-a' });
    expect([keys.valid, keyVariables.valid]).toEqual(['sk-a', 'GATEWAY_API_KEY']);
  });
  test('says where operations are', () => {
    const { operations } = read(`${base}operations:
  messages: null
  generate: PUT /g/{+model}
  usage: { request: POST /u, body: { from: '{start}' } }
  record: GET /r?id={request_id}`);
    expect(operations.messages).toBeUndefined();
    expect(operations.generate).toEqual({
      method: 'PUT',
      path: '/g/{+model}',
      body: undefined,
      stated: 'profile',
    });
    expect(operations.usage).toEqual({
      method: 'POST',
      path: '/u',
      body: { from: '{start}' },
      stated: 'profile',
    });
    expect(operations.record?.path).toBe('/r?id={request_id}');
  });
  test('names models plainly or by their role', () => {
    const { models } = read(`${base}models: { chat: m, generate: { good: g, textOnly: t } }`);
    expect(models).toEqual({
      chat: { good: 'm' },
      responses: {},
      messages: {},
      generate: { good: 'g', textOnly: 't' },
    });
  });
  test('takes all other members as they are', () => {
    const given =
      'headers: { X-Tenant: a }\nversionHeader: Acme-Version\ntimeFormat: iso-date\nstream: { parameter: live }\nrateLimit: { operation: record, requests: 5, within: 1.5s }\nbodies: { chat: { max_tokens: 1 } }';
    expect(read(base + given)).toMatchObject({
      headers: { 'X-Tenant': 'a' },
      versionHeader: 'acme-version',
      timeFormat: 'iso-date',
      streamParameter: 'live',
      rateLimit: { operation: 'record', requests: 5, withinMs: 1500 },
      bodies: { chat: { max_tokens: 1 } },
    });
  });
  test.each<[string, string, Record<string, string>, ProfileOverrides, object]>([
    [
      'a variable',
      'baseUrl: ${GATEWAY_U}\nkeys: { valid: "${GATEWAY_K}" }',
      { GATEWAY_U: 'http://u', GATEWAY_K: 'sk-k' },
      {},
      { baseUrl: 'http://u', keys: { valid: 'sk-k' } },
    ],
    [
      'the environment, where it says none',
      'baseUrl: http://x',
      { GATEWAY_API_KEY: 'sk-e', GATEWAY_DELETED_KEY: 'sk-d' },
      {},
      { keys: { valid: 'sk-e', deleted: 'sk-d' } },
    ],
    [
      'the command line over all',
      base,
      { GATEWAY_API_KEY: 'sk-e' },
      { baseUrl: 'http://c/', key: 'sk-c' },
      { baseUrl: 'http://c', keys: { valid: 'sk-c' } },
    ],
    [
      'the command line, where a variable is unset',
      'baseUrl: ${GATEWAY_U}\nkeys: { valid: "${GATEWAY_K}" }',
      {},
      { baseUrl: 'http://c', key: 'sk-c' },
      { baseUrl: 'http://c', keys: { valid: 'sk-c' } },
    ],
    [
      'a base URL without the slashes at its end',
      'baseUrl: http://x/v1//\nkeys: { valid: sk-a }',
      {},
      {},
      { baseUrl: 'http://x/v1' },
    ],
  ])('takes keys and base URL from %s', (_, text, environment, overrides, expected) => {
    expect(read(text, environment, overrides)).toMatchObject(expected);
  });
  test('keeps what it takes from variables as secrets, but for the base URL and short texts', () => {
    const { secrets, headers } = read(
      'baseUrl: ${GATEWAY_URL}/a\nkeys: { valid: "${GATEWAY_API_KEY}" }\nmodels: { chat: "${GATEWAY_MODEL}" }\nheaders: { x-a: "t-${GATEWAY_TENANT}", x-b: "${OTHER}", x-c: "${GATEWAY_SHORT}" }\n',
      {
        GATEWAY_URL: 'http://gateway.example',
        GATEWAY_API_KEY: 'sk-environment',
        GATEWAY_MODEL: 'gpt-environment',
        GATEWAY_TENANT: 'tenant-environment',
        GATEWAY_SHORT: 'abc',
        OTHER: 'other-environment',
      },
      { allowedVariables: ['OTHER'] },
    );
    expect(headers).toMatchObject({ 'x-a': 't-tenant-environment', 'x-b': 'other-environment' });
    expect([...secrets]).toEqual([
      ['gpt-environment', 'GATEWAY_MODEL'],
      ['tenant-environment', 'GATEWAY_TENANT'],
      ['other-environment', 'OTHER'],
    ]);
  });
  test.each(['http://x/sk-secret-key', 'http://x/v1/sk%2Dsecret-key/'])(
    'refuses a key in the base URL: %s',
    (baseUrl) => {
      const { error, message } = complaint(() =>
        read(`baseUrl: ${baseUrl}\nkeys: { valid: sk-secret-key }\n`),
      );
      expect(error).toBeInstanceOf(UsageError);
      expect(message).toContain('The base URL has an API key in it.');
      expect(message).not.toContain('secret');
    },
  );
  test('remembers which variable would have given what', () => {
    expect([...read('baseUrl: http://x', { GATEWAY_API_KEY: 'sk-e' }).unset.keys()]).toEqual([
      'keys.deleted',
      'keys.depleted',
      'keys.foreign',
    ]);
    expect([...read(`${base}records: { own: "\${GATEWAY_R}" }`).unset]).toEqual([
      ['records.own', 'GATEWAY_R'],
    ]);
  });
  test('is made without a file of what the environment and the command line say', () => {
    const profile = readProfile(undefined, { baseUrl: 'http://x' }, { GATEWAY_API_KEY: 'sk-e' }, catalog);
    expect(profile).toMatchObject({ baseUrl: 'http://x', keys: { valid: 'sk-e' } });
  });
});

describe('what a profile must not be is said with file, line and remedy', () => {
  test.each<[string, string, string]>([
    [
      'an unknown member',
      'baseUrl: http://x\nbaseUr: y\n',
      'c.yaml:2: A profile has no member "baseUr". Did you mean "baseUrl"?',
    ],
    [
      'an unknown member unlike any',
      `${base}zzzzzzzz: y\n`,
      'c.yaml:3: A profile has no member "zzzzzzzz". It may have: baseUrl, headers, keys, models',
    ],
    [
      'an unknown key',
      'baseUrl: http://x\nkeys:\n  vald: y\n',
      'c.yaml:3: `keys` has no member "vald". Did you mean "valid"?',
    ],
    [
      'an unknown role of a model',
      `${base}models:\n  chat: { god: m }\n`,
      'c.yaml:4: `models.chat` has no member "god". Did you mean "good"?',
    ],
    [
      'an unknown operation',
      `${base}operations:\n  usge: GET /u\n`,
      'c.yaml:4: `operations` has no member "usge". Did you mean "usage"?',
    ],
    [
      'a request line that is none',
      `${base}operations:\n  usage: usage\n`,
      'c.yaml:4: operations.usage must ',
    ],
    ['models that are none', `${base}models:\n  chat: 7\n`, 'c.yaml:4: models.chat must be string'],
    [
      'a time format that is none',
      `${base}timeFormat: unix\n`,
      'c.yaml:3: timeFormat must be equal to one of the allowed values: unix-seconds, unix-millis, iso-date, iso-datetime',
    ],
    [
      'a rate limit without its time',
      `${base}rateLimit: { operation: usage, requests: 5 }\n`,
      "c.yaml:3: rateLimit must have required property 'within'",
    ],
    [
      'a duration that is none',
      `${base}rateLimit: { operation: usage, requests: 5, within: soon }\n`,
      'c.yaml:3: rateLimit.within must match pattern',
    ],
    ['a list', '- a\n', 'c.yaml:1: the profile must be object'],
    ['nothing', '', 'c.yaml: the profile must be object'],
    ['no YAML', 'baseUrl: [\n', 'c.yaml:'],
    ['a member that stands twice', `${base}baseUrl: http://y\n`, 'c.yaml:3: Map keys must be unique'],
    [
      'a credential among the headers',
      `${base}headers:\n  a: b\n  X-API-Key: c\n`,
      'c.yaml:5: headers must not carry a credential (X-API-Key); keys belong under `keys`.',
    ],
    [
      'a header name that is none',
      `${base}headers: { "a b": c }\n`,
      'c.yaml:3: "a b" is not a valid header name.',
    ],
    [
      'a required variable that is unset',
      'baseUrl: http://x\nkeys: { valid: "${GATEWAY_NOPE}" }\n',
      'c.yaml:2: keys.valid needs the environment variable GATEWAY_NOPE, which is not set.',
    ],
    [
      'a variable of another kind, set or not',
      'baseUrl: http://x\nkeys: { valid: sk-a }\nheaders: { x-tenant: "${AWS_SECRET_ACCESS_KEY}" }\n',
      'c.yaml:3: headers.x-tenant takes the environment variable AWS_SECRET_ACCESS_KEY, but a profile can take only those that begin with GATEWAY_. Rename the variable, or allow it with --allow-env AWS_SECRET_ACCESS_KEY.',
    ],
    [
      'a variable of another kind as a key',
      'baseUrl: http://x\nkeys: { valid: "${AWS_SECRET_ACCESS_KEY}" }\n',
      'c.yaml:2: keys.valid takes the environment variable AWS_SECRET_ACCESS_KEY',
    ],
    [
      'a variable inside of the base URL',
      'baseUrl: http://x/${GATEWAY_API_KEY}\nkeys: { valid: sk-a }\n',
      'c.yaml:1: In baseUrl, a variable can only stand at the beginning',
    ],
  ])('%s', (_, text, message) => {
    const { error, message: said } = complaint(() => read(text));
    expect(error).toBeInstanceOf(DataFileError);
    expect(said.startsWith(message), said).toBe(true);
  });
  test('a file that does not exist', () => {
    expect(complaint(() => readProfile(join(folder, 'nowhere.yaml'), {}, {}, catalog)).message).toBe(
      'nowhere.yaml: there is no such file',
    );
  });
  test.each<[string, string, string]>([
    [
      'no key',
      'baseUrl: http://x\n',
      'There is no API key. Set GATEWAY_API_KEY, or keys.valid in the profile, or use --key-file.',
    ],
    [
      'a key that no header can carry',
      'baseUrl: http://x\nkeys: { valid: "sk a" }\n',
      "keys.valid has a character that can't stand in a header",
    ],
    [
      'no base URL',
      'keys: { valid: sk-a }\n',
      'There is no base URL. Use --base-url, or set baseUrl in the profile.',
    ],
    [
      'a base URL that is none',
      'baseUrl: gateway\nkeys: { valid: sk-a }\n',
      'The base URL "gat…" (7 characters, not shown as they may be a key) is not a valid URL.',
    ],
    [
      'a base URL that is not of the web',
      'baseUrl: ftp://x\nkeys: { valid: sk-a }\n',
      'The base URL "ftp://…" (7 characters, not shown as they may be a key) is not a web address.',
    ],
    [
      'a base URL with a password',
      'baseUrl: http://u:secret@x\nkeys: { valid: sk-a }\n',
      'The base URL must not carry a user or a password',
    ],
    ['a base URL with a query', 'baseUrl: http://x?a=1\nkeys: { valid: sk-a }\n', 'The base URL '],
    ['a base URL with a fragment', 'baseUrl: "http://x#a"\nkeys: { valid: sk-a }\n', 'The base URL '],
  ])('%s', (_, text, message) => {
    const { error, message: said } = complaint(() => read(text));
    expect(error).toBeInstanceOf(UsageError);
    expect(said.startsWith(message), said).toBe(true);
    expect(said).not.toMatch(/secret|sk a/);
  });
});

test('a plain value is read as a file is', () => {
  expect(profileOf({ baseUrl: 'http://x/', keys: { valid: 'sk-a' } }, catalog).baseUrl).toBe('http://x');
  expect(complaint(() => profileOf({ baseUrl: 'http://x', key: 'a' }, catalog)).message).toBe(
    'profile:1: A profile has no member "key". Did you mean "keys"?',
  );
});

test.each([
  ['chat', 'chat'],
  ['streamGenerate', 'generate'],
  ['models', undefined],
  ['balance', undefined],
])('%s calls the models of %s', (operation, expected) => {
  expect(modelOperation(operation)).toBe(expected);
});
