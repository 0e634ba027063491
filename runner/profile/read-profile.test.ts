// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataFileError } from '../../common/data-file.ts';
import { type Catalog, catalogOfPackage } from '../catalog/catalog.ts';
import { knownOperationIds } from '../catalog/operations.ts';
import { findModelOperation, type Profile, UsageError } from './profile.ts';
import { type ProfileOverrides, parseProfile, readProfile } from './read-profile.ts';

let catalog: Catalog;
const folder = mkdtempSync(join(tmpdir(), 'profile-'));
const path = join(folder, 'c.yaml');
beforeAll(async () => {
  catalog = await catalogOfPackage();
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
/** Returns the error that an action throws, and the message of the error without the path of the folder. */
function catchError(action: () => unknown): { error: Error; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof DataFileError || error instanceof UsageError)
      return { error, message: error.message.replace(`${folder}/`, '') };
    throw error;
  }
  throw new Error('no error was thrown');
}
const base = 'baseUrl: http://x\nkeys: { valid: sk-a }\n';

describe('a profile', () => {
  test('with a base URL and a key has the defaults', () => {
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
      timeouts: { connect: 5_000, refusal: 10_000, success: 60_000, idle: 30_000, total: 120_000 },
    });
    expect(profile.operations).toMatchObject({
      chat: { method: 'POST', path: '/v1/chat/completions', stated: 'spec' },
      messages: { method: 'POST', path: '/v1/messages', stated: 'guess' },
      streamGenerate: { path: '/v1beta/models/{model}:streamGenerateContent?alt=sse', stated: 'guess' },
      balance: undefined,
    });
  });
  test('is overridden by headers, models and request lines', () => {
    const text = `${base}headers: { X-Tenant: a, x-route: r }
models: { chat: { good: m, textOnly: t }, responses: r }
operations: { messages: null }`;
    const { headers, models, operations } = read(
      text,
      {},
      {
        headers: { 'x-tenant': 'b' },
        models: { chat: { good: ['n'] } },
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
  ])('has the variables of the keys in %s', (keys, overrides, variables) => {
    const { keyVariables } = read(
      `baseUrl: http://x\n${keys}\n`,
      { GATEWAY_MY_KEY: 'sk-a', GATEWAY_GONE: 'sk-c' },
      overrides,
    );
    expect(keyVariables).toEqual(variables);
  });
  test('without keys reads keys from the environment', () => {
    const { keys, keyVariables } = read('baseUrl: http://x\n', { GATEWAY_API_KEY: 'sk-a' });
    expect([keys.valid, keyVariables.valid]).toEqual(['sk-a', 'GATEWAY_API_KEY']);
  });
  test('states the requests of operations', () => {
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
  test('states further operations with their families', () => {
    const { operations } = read(
      `${base}operations: { other: [{ request: POST /count, family: B, body: { a: 1 } }, { request: GET /tax, family: billing }] }`,
    );
    expect(operations['other-1']).toEqual({
      method: 'POST',
      path: '/count',
      body: { a: 1 },
      stated: 'profile',
      family: 'B',
    });
    expect(operations['other-2']).toMatchObject({ method: 'GET', path: '/tax', family: 'billing' });
    expect(operations['other-3']).toBeUndefined();
  });
  test('can state for every operation that the gateway does not offer it', () => {
    const profile = read(
      `${base}operations: ${JSON.stringify(Object.fromEntries(knownOperationIds.map((id) => [id, null])))}`,
    );
    expect(profile.notOffered).toEqual(knownOperationIds);
    expect(Object.values(profile.operations).filter(Boolean)).toEqual([]);
  });
  test('takes no model for an operation that is not offered', () => {
    const { message } = catchError(() =>
      read(`${base}operations: { chat: null }`, {}, { models: { chat: { good: ['m'] } } }),
    );
    expect(message).toMatch(
      /^--model chat=m: according to the profile, the gateway does not offer `chat`\. /,
    );
  });
  test('lists several models of a role', () => {
    const { models, modelLists } = read(
      `${base}models: { chat: { good: m, mismatched: [a, b], textOnly: [t] } }`,
    );
    expect(models.chat).toEqual({ good: 'm', mismatched: 'a', textOnly: 't' });
    expect(modelLists.chat).toEqual({ mismatched: ['a', 'b'] });
  });
  test('names models by text or by role', () => {
    const { models } = read(`${base}models: { chat: m, generate: { good: g, textOnly: t } }`);
    expect(models).toEqual({
      chat: { good: 'm' },
      responses: {},
      messages: {},
      generate: { good: 'g', textOnly: 't' },
    });
  });
  test('has its headers, version header, time format, stream parameter, rate limit and bodies', () => {
    const given =
      'headers: { X-Tenant: a }\nversionHeader: Acme-Version\ntimeFormat: iso-date\nstream: { parameter: live }\nrateLimit: { operation: record, requests: 5, within: 1.5s }\ntimeouts: { success: 3m }\nbodies: { chat: { max_tokens: 1 } }';
    expect(read(base + given)).toMatchObject({
      headers: { 'X-Tenant': 'a' },
      versionHeader: 'acme-version',
      timeFormat: 'iso-date',
      streamParameter: 'live',
      rateLimit: { operation: 'record', requests: 5, withinMs: 1500 },
      timeouts: { refusal: 10_000, success: 180_000 },
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
      'the environment by default',
      'baseUrl: http://x',
      { GATEWAY_API_KEY: 'sk-e', GATEWAY_DELETED_KEY: 'sk-d' },
      {},
      { keys: { valid: 'sk-e', deleted: 'sk-d' } },
    ],
    [
      'the command line first',
      base,
      { GATEWAY_API_KEY: 'sk-e' },
      { baseUrl: 'http://c/', key: 'sk-c' },
      { baseUrl: 'http://c', keys: { valid: 'sk-c' } },
    ],
    [
      'the command line if a variable is not set',
      'baseUrl: ${GATEWAY_U}\nkeys: { valid: "${GATEWAY_K}" }',
      {},
      { baseUrl: 'http://c', key: 'sk-c' },
      { baseUrl: 'http://c', keys: { valid: 'sk-c' } },
    ],
    [
      'a base URL with trailing slashes',
      'baseUrl: http://x/v1//\nkeys: { valid: sk-a }',
      {},
      {},
      { baseUrl: 'http://x/v1' },
    ],
  ])('reads keys and base URL from %s', (_, text, environment, overrides, expected) => {
    expect(read(text, environment, overrides)).toMatchObject(expected);
  });
  test('lists values of variables as secrets, except the base URL, the keys and short texts', () => {
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
  test.each([
    'http://x/sk-secret-key',
    'http://x/v1/sk%2Dsecret-key/',
    'http://x/SK-Secret-Key',
    `http://x/${Buffer.from('sk-secret-key').toString('base64')}`,
    `http://x/${Buffer.from('user:sk-secret-key').toString('base64url')}`,
    `http://x/${Buffer.from('sk-secret-key').toString('hex').toUpperCase()}`,
  ])('rejects a key in the base URL: %s', (baseUrl) => {
    const { error, message } = catchError(() =>
      read(`baseUrl: ${baseUrl}\nkeys: { valid: sk-secret-key }\n`),
    );
    expect(error).toBeInstanceOf(DataFileError);
    expect(message).toContain('baseUrl contains an API key.');
    expect(message).not.toContain('secret');
  });
  test('lists the properties that were omitted, with their variables', () => {
    expect([...read('baseUrl: http://x', { GATEWAY_API_KEY: 'sk-e' }).unset.keys()]).toEqual([
      'keys.deleted',
      'keys.depleted',
      'keys.foreign',
    ]);
    expect([...read(`${base}records: { own: "\${GATEWAY_R}" }`).unset]).toEqual([
      ['records.own', 'GATEWAY_R'],
    ]);
  });
  test('without a file is read from the environment and the command line', () => {
    const profile = readProfile(undefined, { baseUrl: 'http://x' }, { GATEWAY_API_KEY: 'sk-e' }, catalog);
    expect(profile).toMatchObject({ baseUrl: 'http://x', keys: { valid: 'sk-e' } });
  });
});

/** Profiles with an error, by a description of the error. */
const invalid: Readonly<Record<string, string>> = {
  'an unknown property': 'baseUrl: http://x\nbase_url: y\n',
  'an unknown property unlike any other': `${base}zzzzzzzz: y\n`,
  'an unknown key': 'baseUrl: http://x\nkeys:\n  vald: y\n',
  'an unknown role of a model': `${base}models:\n  chat: { god: m }\n`,
  'an unknown operation': `${base}operations:\n  usge: GET /u\n`,
  'a request of an operation that the specification states': `${base}operations:\n  chat: POST /chat\n`,
  'an invalid request line': `${base}operations:\n  usage: usage\n`,
  'a number as model': `${base}models:\n  chat: 7\n`,
  'an unknown time format': `${base}timeFormat: unix\n`,
  'a rate limit without a time': `${base}rateLimit: { operation: usage, requests: 5 }\n`,
  'a rate limit with an invalid time': `${base}rateLimit: { operation: usage, requests: 5, within: soon }\n`,
  'a rate limit of no requests': `${base}rateLimit: { operation: usage, requests: 0, within: 10s }\n`,
  'a rate limit of too many requests': `${base}rateLimit: { operation: usage, requests: 10001, within: 10s }\n`,
  'an unknown time limit': `${base}timeouts: { first-byte: 10s }\n`,
  'an invalid time limit': `${base}timeouts: { success: 60 }\n`,
  'a time limit that is too long': `${base}timeouts: { total: 40000m }\n`,
  'an invalid version header': `${base}versionHeader: "a b"\n`,
  'an empty stream parameter': `${base}stream: { parameter: "" }\n`,
  'a key that is created but never deleted': `${base}setup:\n  createKey: { request: POST /keys }\n`,
  'a value of a created key without a JSON pointer': `${base}setup:\n  createKey: { request: POST /keys, values: { key: id } }\n`,
  'an invalid name of a value of a created key': `${base}setup:\n  createKey: { request: POST /keys, values: { key: /key, a-b: /b } }\n`,
  'an invalid header of the second call that creates a key': `${base}setup:\n  createKey:\n    - { request: POST /keys }\n    - { request: POST /more, headers: { x-a: "☃" } }\n  deleteKey: { request: DELETE /keys }\n`,
  'two properties that exclude each other': `${base}setup:\n  drain: { command: [a], body: {} }\n`,
  'an unknown default of a flag': `${base}defaults:\n  reporters: [json]\n`,
  'a default of a flag that the profile cannot set': `${base}defaults:\n  insecure: true\n`,
  'a default with a value of another type': `${base}defaults: { only: auth/* }\n`,
  'a list': '- a\n',
  'an empty file': '',
  'invalid YAML': 'baseUrl: [\n',
  'a duplicate property': `${base}baseUrl: http://y\n`,
  'a credential among the headers': `${base}headers:\n  a: b\n  X-API-Key: c\n`,
  'an invalid header name': `${base}headers: { "a b": c }\n`,
  'an invalid header value': `${base}headers: { a: "b\\nc" }\n`,
  'a required variable that is not set': 'baseUrl: http://x\nkeys: { valid: "${GATEWAY_NOPE}" }\n',
  'a variable that is not allowed': `${base}headers: { x-tenant: "\${AWS_SECRET_ACCESS_KEY}" }\n`,
  'a variable that is not allowed, as a key':
    'baseUrl: http://x\nkeys: { valid: "${AWS_SECRET_ACCESS_KEY}" }\n',
  'a variable inside of the base URL': 'baseUrl: http://x/${GATEWAY_API_KEY}\nkeys: { valid: sk-a }\n',
  'one model in two roles': `${base}models: { chat: { good: m, unsupported: m } }\n`,
  'no key': 'baseUrl: http://x\n',
  'a key that no header can carry': 'baseUrl: http://x\nkeys: { valid: "sk a" }\n',
  'one key in two roles': 'baseUrl: http://x\nkeys: { valid: sk-a, deleted: sk-a }\n',
  'no base URL': 'keys: { valid: sk-a }\n',
  'an invalid base URL': 'baseUrl: gateway\nkeys: { valid: sk-a }\n',
  'a base URL of another scheme': 'baseUrl: ftp://x\nkeys: { valid: sk-a }\n',
  'a base URL with a password': 'baseUrl: http://u:secret@x\nkeys: { valid: sk-a }\n',
  'a base URL with a query': 'baseUrl: http://x?a=1\nkeys: { valid: sk-a }\n',
  'a base URL with a fragment': 'baseUrl: "http://x#a"\nkeys: { valid: sk-a }\n',
  'a base URL that contains the key': 'baseUrl: http://x/sk-secret-key\nkeys: { valid: sk-secret-key }\n',
  'an empty list of models':
    'baseUrl: http://x\nkeys: { valid: sk-a }\nmodels: { chat: { unsupported: [] } }\n',
  'a list of models with a number':
    'baseUrl: http://x\nkeys: { valid: sk-a }\nmodels: { chat: { textOnly: [5] } }\n',
  'a further operation without a family':
    'baseUrl: http://x\nkeys: { valid: sk-a }\noperations:\n  other:\n    - { request: POST /count }\n',
  'a further operation of family A':
    'baseUrl: http://x\nkeys: { valid: sk-a }\noperations:\n  other:\n    - { request: POST /count, family: A }\n',
  'a placeholder in the request of a further operation':
    'baseUrl: http://x\nkeys: { valid: sk-a }\noperations:\n  other:\n    - { request: "POST /models/{model}:count", family: C }\n',
  'a number as models': 'baseUrl: http://x\nkeys: { valid: sk-a }\nmodels: { chat: 5 }\n',
};

test('the errors of invalid profiles match read-profile.errors.txt, and contain no key', async () => {
  const shown = Object.entries(invalid).map(([about, text]) => {
    const { message } = catchError(() => read(text));
    expect(message).not.toMatch(/secret|sk a/);
    return `# ${about}\n${text.replace(/^/gm, '  ').trimEnd()}\n${message}\n`;
  });
  shown.push(
    `# a file that does not exist\n${catchError(() => readProfile(join(folder, 'nowhere.yaml'), {}, {}, catalog)).message}\n`,
  );
  await expect(shown.join('\n')).toMatchFileSnapshot('read-profile.errors.txt');
});

test.each([
  ['an unknown property', DataFileError],
  ['no key', UsageError],
])('%s is a %o', (about, type) => {
  expect(catchError(() => read(invalid[about] ?? '')).error).toBeInstanceOf(type);
});

test('a plain value is validated like a file', () => {
  expect(parseProfile({ baseUrl: 'http://x/', keys: { valid: 'sk-a' } }, catalog).baseUrl).toBe('http://x');
  expect(catchError(() => parseProfile({ baseUrl: 'http://x', key: 'a' }, catalog)).message).toBe(
    'profile:1: unknown property "key". Did you mean "keys"?',
  );
});

test.each([
  ['chat', 'chat'],
  ['streamGenerate', 'generate'],
  ['models', undefined],
  ['balance', undefined],
])('%s calls the models of %s', (operation, expected) => {
  expect(findModelOperation(operation)).toBe(expected);
});
