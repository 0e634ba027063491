import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import { completeAttributes } from '../plan/complete-attributes.ts';
import { plan } from '../plan/plan.ts';
import { findProfileModel } from '../profile/profile.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { buildRequest, fillPath } from './build-request.ts';
import { deriveKeys } from './keys.ts';

test.each([
  ['/v1beta/models/{model}:generateContent', '/v1beta/models/a%2Fb%3Ac%20d:generateContent'],
  ['/v1beta/models/{+model}:generateContent', '/v1beta/models/a/b:c d:generateContent'],
  ['/u?start={start}&end={end}', '/u?start=1&end=2%26'],
  ['/u?x={unknown}&y={}', '/u?x={unknown}&y={}'],
])('fills %s as %s', (path, expected) => {
  const values = new Map(Object.entries({ model: 'a/b:c d', start: '1', end: '2&' }));
  expect(fillPath(path, (name) => values.get(name))).toBe(expected);
});

const catalog = await catalogOfPackage();
const record = '5b0c7b8e-3c55-4c6e-9a53-0d6f5b3e1a01';
const models = { good: 'm', textOnly: 't', unsupported: 'u', mismatched: 'x' };
const profile = parseProfile(
  {
    baseUrl: 'http://x',
    headers: { 'X-Tenant': 't1' },
    keys: { valid: 'sk-a', deleted: 'sk-b', depleted: 'sk-c', foreign: 'sk-d' },
    models: { chat: models, responses: models, messages: models, generate: models },
    operations: {
      balance: 'GET /v1/balance',
      usage: {
        request: 'POST /v1/usage',
        body: { from: '{start}', since: '{+start}', to: ['{+end}'], n: 1 },
      },
      record: 'GET /v1/records?request_id={request_id}',
      internalError: 'GET /v1/internal-error',
    },
    records: { own: record, foreign: record.replace('5', '6') },
    rateLimit: { operation: 'balance', requests: 5, within: '1s' },
  },
  catalog,
);
const promise = createPromise(catalog, profile);
const context = {
  promise,
  keys: deriveKeys(profile.keys),
  unlistedModel: 'no-such-model',
  unknownRecord: () => randomUUID(),
  userAgent: 'test',
  workingHeader: () => undefined,
  model: (operation: Parameters<typeof findProfileModel>[1], kind: string) =>
    findProfileModel(profile, operation, kind),
};
const build = (given: Attributes) => buildRequest(completeAttributes(given, promise), context);

describe('a request', () => {
  const always = { 'user-agent': 'test', accept: 'application/json', 'x-tenant': 't1' };
  const json = { 'content-type': 'application/json' };
  const version = { 'anthropic-version': '2023-06-01' };
  test.each<[Attributes, string, Readonly<Record<string, string>>]>([
    [
      { operation: 'chat' },
      'POST /v1/chat/completions',
      { ...always, ...json, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'chat', header: 'x-api-key' },
      'POST /v1/chat/completions',
      { ...always, ...json, ...version, 'x-api-key': 'sk-a' },
    ],
    [{ operation: 'chat', header: 'none' }, 'POST /v1/chat/completions', { ...always, ...json }],
    [
      { operation: 'chat', streamed: 'true' },
      'POST /v1/chat/completions',
      { ...always, ...json, accept: 'text/event-stream, application/json', authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'chat', contentType: 'missing' },
      'POST /v1/chat/completions',
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'chat', contentType: 'text' },
      'POST /v1/chat/completions',
      { ...always, 'content-type': 'text/plain', authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'models', header: 'bearer', accept: 'absent' },
      'GET /v1/models',
      { 'user-agent': 'test', 'x-tenant': 't1', authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'chat', header: 'bearer', accept: 'any', streamed: 'true' },
      'POST /v1/chat/completions',
      { ...always, ...json, accept: '*/*', authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'models', header: 'none', added: 'origin' },
      'GET /v1/models',
      { ...always, origin: 'http://x', referer: 'http://x/', 'sec-fetch-site': 'same-origin' },
    ],
    [
      { operation: 'models', header: 'bearer' },
      'GET /v1/models',
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'models', method: 'PATCH' },
      'PATCH /v1/models',
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'messages', header: 'bearer', key: 'deleted' },
      'POST /v1/messages',
      { ...always, ...json, ...version, authorization: 'Bearer sk-b' },
    ],
    [
      { operation: 'messages', header: 'bearer', version: 'missing' },
      'POST /v1/messages',
      { ...always, ...json, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'messages', header: 'bearer', version: 'other' },
      'POST /v1/messages',
      { ...always, ...json, 'anthropic-version': '1999-01-01', authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'generate' },
      'POST /v1beta/models/m:generateContent',
      { ...always, ...json, 'x-goog-api-key': 'sk-a' },
    ],
    [
      { operation: 'generate', model: 'unlisted', header: 'bearer' },
      'POST /v1beta/models/no-such-model:generateContent',
      { ...always, ...json, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'streamGenerate', header: 'query' },
      'POST /v1beta/models/m:streamGenerateContent?alt=sse&key=sk-a',
      { ...always, ...json, accept: 'text/event-stream, application/json' },
    ],
    [{ operation: 'models', header: 'query' }, 'GET /v1/models?key=sk-a', always],
    [
      { operation: 'record' },
      `GET /v1/records?request_id=${record}`,
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'record', record: 'word' },
      'GET /v1/records?request_id=not-a-uuid',
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'none', path: 'unknown' },
      'GET /v1/conformance-unknown-path',
      { ...always, authorization: 'Bearer sk-a' },
    ],
    [
      { operation: 'none', path: 'model-list', header: 'x-goog-api-key' },
      'GET /v1beta/models',
      { ...always, 'x-goog-api-key': 'sk-a' },
    ],
  ])('of %j is %s', (given, line, headers) => {
    const { request } = build(given);
    expect(`${request.method} ${request.path}`).toBe(line);
    expect(request.headers).toEqual(headers);
  });
  test('without a body differs from a request with an empty body', () => {
    expect(build({ operation: 'models' }).request.body).toBeUndefined();
    expect(build({ operation: 'chat', method: 'HEAD' }).request.body).toBeUndefined();
    expect(build({ operation: 'chat', fault: 'empty-body' }).request.body).toBe('');
  });
  test('has the times of its range in the body', () => {
    const { body = '', headers } = build({ operation: 'usage', range: 'unparseable-end' }).request;
    const { from, ...rest } = JSON.parse(body);
    expect(from).toMatch(/^\d{10}$/);
    expect(rest).toEqual({ since: Number(from), to: ['not-a-time'], n: 1 });
    expect(headers['content-type']).toBe('application/json');
  });
  test('has both ends of its range from one time, even if a second passes during the build', () => {
    let now = Date.parse('2026-01-31T12:00:00Z');
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => {
      now += 1_000;
      return now;
    });
    const { from, to } = JSON.parse(
      build({ operation: 'usage', range: 'reversed-seconds' }).request.body ?? '',
    );
    clock.mockRestore();
    expect(Number(from) - to[0]).toBe(1);
  });
  test('for a random record has another UUID each time', () => {
    const paths = [1, 2].map(() => build({ operation: 'record', record: 'random' }).request.path);
    expect(paths[0]).toMatch(/request_id=[0-9a-f-]{36}$/);
    expect(paths[0]).not.toBe(paths[1]);
  });
  test.each([
    ['chat', 'unlisted', 'no-such-model'],
    ['chat', 'unsupported', 'u'],
    ['streamGenerate', 'text-only', 't'],
    ['responses', 'mismatched', 'x'],
    ['models', 'none', undefined],
  ])('of %s for the %s model has the model %j', (operation, model, expected) => {
    expect(build({ operation, model }).model).toBe(expected);
  });
});

test.each([
  ['none', 'no-such-model-0123456789ab'],
  ['with-vendor', '0123456789ab/$&'],
  ['word', 'constructor'],
  ['with-quote', 'conformance-"0123456789ab'],
  ['long', expect.stringMatching(/^conformance-x{275}-0123456789ab$/)],
])('the unlisted model of the form %s is %s', (given, expected) => {
  const { model } = buildRequest(
    { operation: 'chat', header: 'bearer', key: 'good', model: 'unlisted', given },
    { ...context, unlistedModel: 'no-such-model-0123456789ab', model: () => '$&' },
  );
  expect(model).toEqual(expected);
});

test.each([
  ['none', '/v1beta/models/no-such-model-0123456789ab:generateContent'],
  ['with-prefix', '/v1beta/models/0123456789ab-gemini-x:generateContent'],
])('an unlisted model of the form %s keeps the prefix `models/` of the good model', (given, path) => {
  const generate = {
    method: 'POST',
    path: '/v1beta/{+model}:generateContent',
    body: undefined,
    stated: 'profile' as const,
  };
  const { request } = buildRequest(
    { operation: 'generate', header: 'bearer', key: 'good', model: 'unlisted', given },
    {
      ...context,
      promise: { ...promise, profile: { ...profile, operations: { ...profile.operations, generate } } },
      unlistedModel: 'no-such-model-0123456789ab',
      model: () => 'models/gemini-x',
    },
  );
  expect(request.path).toBe(path);
});

test('without a good model, an unlisted model has the generated ID', () => {
  const { model } = buildRequest(
    { operation: 'chat', header: 'bearer', key: 'good', model: 'unlisted', given: 'with-vendor' },
    { ...context, model: () => undefined },
  );
  expect(model).toBe('no-such-model');
});

test('a request calls the model at `modelNumber` in the list of the profile', () => {
  const listed = parseProfile(
    { baseUrl: 'http://x', keys: { valid: 'sk-a' }, models: { chat: { mismatched: ['a', 'b'] } } },
    catalog,
  );
  const modelOf = (modelNumber: string) =>
    buildRequest(
      { operation: 'chat', header: 'bearer', key: 'good', model: 'mismatched', modelNumber },
      { ...context, promise: createPromise(catalog, listed) },
    ).model;
  expect(['1', '2'].map(modelOf)).toEqual(['a', 'b']);
});

test('every step of the full plan can be built', () => {
  const steps = plan(promise).cases.flatMap((item) => (item.notApplicable ? [] : item.steps));
  expect(steps.length).toBeGreaterThan(500);
  for (const { attributes } of steps) {
    const { request } = buildRequest(attributes, context);
    const text = JSON.stringify(request).replace(attributes.key === 'undefined' ? /undefined/ : '', '');
    expect(text).not.toMatch(/\{(model|image|jpeg|start|end|request_id|origin)\}|undefined/);
    if (attributes.fault !== 'unparseable' && request.body)
      expect(() => JSON.parse(request.body?.replace(/^\uFEFF/, '') ?? '')).not.toThrow();
  }
});
