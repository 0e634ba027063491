import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import {
  checkRecording,
  client,
  type ExchangeRow,
  entryOf,
  errorOf,
  failuresIn,
  helloBody,
  profileWith,
  traceId,
} from '../../support/recorded-exchange.ts';

const catalog = await catalogOfPackage();

const json = { 'content-type': 'application/json' };
const xKey = { 'x-api-key': 'sk-client-0123456789abcdef', ...json, 'anthropic-version': '2023-06-01' };
const valid = { authorization: 'Bearer sk-valid-0123456789abcdef', ...json };
const good = { id: 'c1', choices: [] };
const list = { url: '/v1/models', method: 'GET' };
const messages = { url: '/v1/messages', sent: xKey };
/** A call of a model, and a model list without this model. `at: 0` means that the recording has no times. */
const modelCall: ExchangeRow = { sent: valid, status: 200, answer: good, at: 0 };
const shortList: ExchangeRow = {
  ...list,
  sent: valid,
  status: 200,
  received: json,
  answer: { data: [{ id: 'm' }] },
  at: 0,
};
const refused = (message: string): object => errorOf(400, 'invalid_request_error', message);
const invalid = { status: 400, answer: refused('temperature is more than 2') };

/** Exchanges of conforming gateways, in forms that recorders may write. */
const conforming: readonly (ExchangeRow & { readonly about: string })[] = [
  { about: 'a preflight', method: 'OPTIONS', sent: { origin: 'https://app.example' }, status: 204 },
  { about: 'a HEAD', ...list, method: 'HEAD', sent: {}, status: 200 },
  { about: 'another path', url: '/v1/embeddings', sent: json, status: 200, answer: good },
  {
    about: 'the path of one model',
    method: 'GET',
    url: '/v1/models/some-model',
    status: 404,
    answer: '<h1>Not Found</h1>',
  },
  {
    about: 'an unknown query parameter',
    url: '/v1/chat/completions?api-version=1',
    status: 200,
    answer: good,
  },
  { about: 'a base URL with a path', url: '/tenant/v1/chat/completions', status: 200, answer: good },
  {
    about: 'a redacted key',
    sent: { authorization: '[REDACTED]', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a redacted value',
    sent: { authorization: '**hidden value**', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a redacted bearer token',
    sent: { authorization: 'Bearer DUMMY', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a digest instead of a key',
    sent: { authorization: 'Bearer 9f86d081884c7d659a2feaa0c55ad015', ...json },
    status: 200,
    answer: good,
  },
  { about: 'an empty value', sent: { 'x-api-key': '', ...json }, status: 200, answer: good },
  {
    about: 'two credentials',
    sent: { ...client, ...xKey },
    status: 401,
    answer: errorOf(401, 'invalid_api_key'),
  },
  { about: 'a response from a cache', ...list, sent: valid, status: 304, received: { etag: 'x' } },
  {
    about: 'a redirect to https',
    ...list,
    sent: valid,
    status: 308,
    received: { location: 'https://other.example/v1/models' },
  },
  {
    about: 'a body that is too long',
    sent: valid,
    status: 413,

    answer: errorOf(413, 'invalid_request_error'),
  },
  { about: 'a response without a recorded body', status: 400 },
  {
    about: 'an incomplete response',
    status: 400,
    received: { ...json, 'content-length': '900', 'x-trace-id': traceId },
    answer: '',
  },
  {
    about: 'a second invalid member',
    body: { ...helloBody, messages: [{ role: 'user' }], temperature: 9 },
    ...invalid,
  },
  {
    about: 'tools',
    body: { ...helloBody, tools: [{ type: 'function' }], tool_choice: 'auto' },
    status: 200,
    answer: good,
  },
  {
    about: 'a tool call',
    body: { model: 'm', messages: [{ role: 'assistant', tool_calls: [{}] }] },
    status: 200,
    answer: good,
  },
  {
    about: 'content that is null',
    body: { model: 'm', messages: [{ role: 'assistant', content: null, tool_calls: [{}] }] },
    status: 200,
    answer: good,
  },
  {
    about: 'content parts with an image',
    body: { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
    status: 200,
    answer: good,
  },
  {
    about: 'a newer role',
    body: { model: 'm', messages: [{ role: 'developer', content: 'a' }] },
    ...invalid,
  },
  {
    about: 'a stored prompt',
    url: '/v1/responses',
    body: { model: 'm', prompt: { id: 'p' } },
    status: 200,
    answer: good,
  },
  {
    about: 'input items',
    url: '/v1/responses',
    body: { model: 'm', input: [{ role: 'user', content: 'a' }] },
    status: 200,
    answer: good,
  },
  {
    about: 'content blocks',
    ...messages,
    body: {
      model: 'm',
      max_tokens: 9,
      system: 'x',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }],
    },
    status: 200,
    answer: { content: [] },
  },
  {
    about: 'a token count',
    ...messages,
    url: '/v1/messages/count_tokens',
    status: 404,
    answer: 'no',
  },
  { about: 'an endpoint that is not offered', ...messages, status: 404, answer: '<h1>Not Found</h1>' },
  {
    about: 'a firewall in front of an endpoint that is not offered',
    ...messages,
    status: 403,
    answer: '<h1>Forbidden</h1>',
  },
  {
    about: 'a single object as contents',
    url: '/v1beta/models/m:generateContent',
    body: { contents: { parts: { text: 'a' } } },
    status: 200,
    answer: { candidates: [] },
  },
  {
    about: 'a system instruction',
    url: '/v1beta/models/m:generateContent',
    body: { contents: [{ parts: [{ text: 'a' }] }], systemInstruction: {} },
    status: 200,
    answer: { candidates: [] },
  },
  {
    about: 'a stream with comments',
    body: { ...helloBody, stream: true },
    status: 200,
    received: { 'content-type': 'text/event-stream' },
    answer: ': ping\n\ndata: {"a":1}\n\ndata: [DONE]\n\n',
  },
  {
    about: 'a stream of which the client read only the first event',
    body: { ...helloBody, stream: true },
    status: 200,
    received: { 'content-type': 'text/event-stream' },
    answer: 'data: {"choices":[{"delta":{"content":"Hello, how are you?"},"finish_reason":null}]}\n\n',
  },
  {
    about: 'a guard that refuses every key after some wrong keys',
    sent: { ...json, authorization: 'Bearer sk-wrong-0123456789' },
    status: 403,
    received: { 'content-type': 'text/html' },
    answer: '<h1>Forbidden</h1>',
  },
  {
    about: 'a firewall that refuses an empty conversation',
    body: { ...helloBody, messages: [] },
    status: 403,
    received: { 'content-type': 'text/html' },
    answer: '<h1>Forbidden</h1>',
  },
  {
    about: 'the error of a validation library for a role that no protocol defines',
    sent: valid,
    body: { model: 'known', messages: [{ role: 'conformance', content: 'a' }] },
    status: 422,
    answer: { detail: [] },
  },
  {
    about: 'a request body that was not recorded',
    body: '',
    sent: { ...client, 'content-length': '80' },
    status: 200,
    answer: good,
  },
  { about: 'a rate limit', status: 429, answer: errorOf(429, 'invalid_request_error') },
  { about: 'a paginated list', ...list, url: '/v1/models?limit=1', status: 200, answer: { data: [] } },
  {
    about: 'an account without a balance',
    sent: valid,
    body: { ...helloBody, model: 'known' },
    status: 400,
    answer: errorOf(400, 'insufficient_balance'),
  },
  { about: 'a key that was deleted', sent: valid, status: 401, answer: errorOf(401, 'invalid_bearer_token') },
  {
    about: 'a removed model',
    sent: valid,
    body: { ...helloBody, model: 'known' },
    status: 400,
    answer: errorOf(400, 'model_not_available'),
  },
  {
    about: 'a refused prompt',
    sent: valid,
    body: { ...helloBody, model: 'known' },
    status: 400,
    answer: refused('messages: not allowed'),
  },
  {
    about: 'a record of another account, read with its own key',
    method: 'GET',
    url: '/v1/record?request_id=11111111-1111-4111-8111-111111111111',
    status: 200,
    answer: good,
  },
  {
    about: 'a UUID in braces',
    method: 'GET',
    sent: valid,
    url: '/v1/record?request_id=%7B11111111-1111-4111-8111-11111111111A%7D',
    status: 200,
    answer: good,
  },
  {
    about: 'a time in another format',
    method: 'GET',
    sent: valid,
    url: '/v1/usage?from=1700000000000&to=1700000009',
    status: 200,
    answer: good,
  },
  {
    about: 'a time in words',
    method: 'GET',
    sent: valid,
    url: '/v1/usage?from=last-month&to=1700000009',
    status: 200,
    answer: good,
  },
  {
    about: 'a free model for an account without a balance',
    sent: { ...json, authorization: 'Bearer sk-depleted-0123456789' },
    body: { ...helloBody, model: 'free' },
    status: 200,
    answer: good,
  },
];

const stated = {
  keys: { valid: 'sk-valid-0123456789abcdef', depleted: 'sk-depleted-0123456789' },
  models: { chat: { good: 'known' } },
  operations: {
    record: 'GET /v1/record?request_id={request_id}',
    usage: 'GET /v1/usage?from={start}&to={end}',
  },
  records: { foreign: '11111111-1111-4111-8111-111111111111' },
};

describe('check reports no violation', () => {
  test.each(conforming)('with and without a profile: $about', async ({ about: _, ...row }) => {
    const line = JSON.stringify(entryOf(row));
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), line))).toEqual([]);
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog, stated), line))).toEqual([]);
  });

  test.each([
    { about: 'no headers', request: { headers: [] }, response: { headers: [] } },
    { about: 'no request headers', request: { headers: undefined }, response: {} },
    { about: 'the status of a request that the browser cancelled', request: {}, response: { status: -1 } },
    {
      about: 'headers as lists',
      request: { headers: { authorization: ['Bearer sk-0123456789'] } },
      response: {},
    },
  ])('if a recording has $about', async ({ request, response }) => {
    const whole: Record<string, object> = { ...entryOf({ status: 200, answer: good }) };
    const line = JSON.stringify({
      ...whole,
      request: { ...whole.request, ...request },
      response: { ...whole.response, ...response },
    });
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), line))).toEqual([]);
  });

  test.each([
    ['a member', { data: [], next_cursor: 'x' }, {}],
    ['a header', { data: [] }, { link: '</v1/models?page=2>; rel="next"' }],
  ])('if %s states that the model list has more pages', async (_, answer, headers) => {
    const row = { ...list, sent: valid, status: 200, received: { ...json, ...headers }, answer };
    const lines = [{ status: 200, answer: good }, row].map((item) => JSON.stringify(entryOf(item)));
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), lines.join('\n')))).toEqual([]);
  });

  test.each([
    ['auto', []],
    ['another-model', ['warns models/list-names-good-model']],
  ])('if the model of a call is %s: %j', async (model, expected) => {
    const call = { ...modelCall, body: { ...helloBody, model } };
    const lines = [call, shortList, call].map((item) => JSON.stringify(entryOf(item)));
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), lines.join('\n')))).toEqual(
      expected,
    );
  });

  test.each<[string, readonly ExchangeRow[], readonly string[]]>([
    ['only later calls succeeded', [shortList, modelCall, modelCall], []],
    ['only earlier calls succeeded', [modelCall, modelCall, shortList], []],
    [
      'a later call in the recording is an earlier call by its time',
      [
        { ...shortList, at: 300 },
        { ...modelCall, at: 200 },
      ],
      [],
    ],
    [
      'another gateway served the model',
      [modelCall, { ...shortList, url: 'https://other.example/v1/models' }, modelCall],
      [],
    ],
    [
      'calls before and after the list by their times succeeded',
      [
        { ...shortList, at: 200 },
        { ...modelCall, at: 100 },
        { ...modelCall, at: 300 },
      ],
      ['warns models/list-names-good-model'],
    ],
  ])('if a model list lacks a model, and %s', async (_, rows, expected) => {
    const lines = rows.map((row) => JSON.stringify(entryOf(row)));
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), lines.join('\n')))).toEqual(
      expected,
    );
  });

  test('if Chrome leaves out credentials', async () => {
    const entries = [
      entryOf({ sent: json, status: 200, answer: good }),
      entryOf({
        ...list,
        url: '/v1/models?key=1',
        sent: {},
        status: 200,
        received: json,
        answer: { data: [] },
      }),
    ];
    const har = { log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, entries } };
    expect(failuresIn(await checkRecording(catalog, profileWith(catalog), JSON.stringify(har)))).toEqual([]);
  });
});
