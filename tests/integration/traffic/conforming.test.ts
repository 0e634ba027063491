import { beforeAll, describe, expect, test } from 'vitest';
import { type Catalog, loadCatalog } from '../../../runner/catalog/catalog.ts';
import {
  client,
  type ExchangeRow,
  entryOf,
  errorOf,
  failuresIn,
  profileWith,
  prompt,
  reportOn,
  traceId,
} from '../../support/recorded-exchange.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await loadCatalog();
});

const json = { 'content-type': 'application/json' };
const xKey = { 'x-api-key': 'sk-client-0123456789abcdef', ...json, 'anthropic-version': '2023-06-01' };
const valid = { authorization: 'Bearer sk-valid-0123456789abcdef', ...json };
const good = { id: 'c1', choices: [] };
const list = { url: '/v1/models', method: 'GET' };
const messages = { url: '/v1/messages', sent: xKey };
const refused = (message: string): object => errorOf(400, 'invalid_request_error', message);
const invalid = { status: 400, answer: refused('temperature is more than 2') };

/** Exchanges that a gateway may have with its clients, and a recorder may record so. */
const legal: readonly (ExchangeRow & { readonly about: string })[] = [
  { about: 'a preflight', method: 'OPTIONS', sent: { origin: 'https://app.example' }, status: 204 },
  { about: 'a HEAD', ...list, method: 'HEAD', sent: {}, status: 200 },
  { about: 'another path', url: '/v1/embeddings', sent: json, status: 200, answer: good },
  {
    about: 'one model',
    method: 'GET',
    url: '/v1/models/some-model',
    status: 404,
    answer: '<h1>Not Found</h1>',
  },
  {
    about: 'a query of another interface',
    url: '/v1/chat/completions?api-version=1',
    status: 200,
    answer: good,
  },
  { about: 'a base URL with a path', url: '/tenant/v1/chat/completions', status: 200, answer: good },
  {
    about: 'a key that was replaced',
    sent: { authorization: '[REDACTED]', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a value that was replaced',
    sent: { authorization: '**hidden value**', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a bearer token that was replaced',
    sent: { authorization: 'Bearer DUMMY', ...json },
    status: 200,
    answer: good,
  },
  {
    about: 'a digest for a key',
    sent: { authorization: 'Bearer 9f86d081884c7d659a2feaa0c55ad015', ...json },
    status: 200,
    answer: good,
  },
  { about: 'a blank value', sent: { 'x-api-key': '', ...json }, status: 200, answer: good },
  {
    about: 'two credentials',
    sent: { ...client, ...xKey },
    status: 401,
    answer: errorOf(401, 'invalid_api_key'),
  },
  { about: 'an answer from a cache', ...list, sent: valid, status: 304, received: { etag: 'x' } },
  {
    about: 'a redirection to https',
    ...list,
    sent: valid,
    status: 308,
    received: { location: 'https://other.example/v1/models' },
  },
  {
    about: 'a body that is too long',
    sent: valid,
    status: 413,

    answer: errorOf(413, 'too_long'),
  },
  { about: 'an answer without its body', status: 400 },
  {
    about: 'an answer of which a part is missing',
    status: 400,
    received: { ...json, 'content-length': '900', 'x-trace-id': traceId },
    answer: '',
  },
  {
    about: 'another member at fault',
    body: { ...prompt, messages: [{ role: 'user' }], temperature: 9 },
    ...invalid,
  },
  {
    about: 'tools',
    body: { ...prompt, tools: [{ type: 'function' }], tool_choice: 'auto' },
    status: 200,
    answer: good,
  },
  {
    about: 'a call of a tool',
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
    about: 'parts with an image',
    body: { model: 'm', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
    status: 200,
    answer: good,
  },
  {
    about: 'a role of another time',
    body: { model: 'm', messages: [{ role: 'developer', content: 'a' }] },
    ...invalid,
  },
  {
    about: 'a prompt in a template',
    url: '/v1/responses',
    body: { model: 'm', prompt: { id: 'p' } },
    status: 200,
    answer: good,
  },
  {
    about: 'items as input',
    url: '/v1/responses',
    body: { model: 'm', input: [{ role: 'user', content: 'a' }] },
    status: 200,
    answer: good,
  },
  {
    about: 'blocks as content',
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
    about: 'tokens that are counted',
    ...messages,
    url: '/v1/messages/count_tokens',
    status: 404,
    answer: 'no',
  },
  { about: 'an endpoint that is not offered', ...messages, status: 404, answer: '<h1>Not Found</h1>' },
  {
    about: 'a firewall in place of what is not offered',
    ...messages,
    status: 403,
    answer: '<h1>Forbidden</h1>',
  },
  {
    about: 'one item as contents',
    url: '/v1beta/models/m:generateContent',
    body: { contents: { parts: { text: 'a' } } },
    status: 200,
    answer: { candidates: [] },
  },
  {
    about: 'an instruction',
    url: '/v1beta/models/m:generateContent',
    body: { contents: [{ parts: [{ text: 'a' }] }], systemInstruction: {} },
    status: 200,
    answer: { candidates: [] },
  },
  {
    about: 'a stream with comments',
    body: { ...prompt, stream: true },
    status: 200,
    received: { 'content-type': 'text/event-stream' },
    answer: ': ping\n\ndata: {"a":1}\n\ndata: [DONE]\n\n',
  },
  {
    about: 'a body that nobody recorded',
    body: '',
    sent: { ...client, 'content-length': '80' },
    status: 200,
    answer: good,
  },
  { about: 'a limit in front', status: 429, answer: errorOf(429, 'rate_limited') },
  { about: 'a list by pages', ...list, url: '/v1/models?limit=1', status: 200, answer: { data: [] } },
  {
    about: 'an account that ran dry',
    sent: valid,
    body: { ...prompt, model: 'known' },
    status: 400,
    answer: errorOf(400, 'insufficient_balance'),
  },
  { about: 'a key that was deleted', sent: valid, status: 401, answer: errorOf(401, 'invalid_bearer_token') },
  {
    about: 'a model that went',
    sent: valid,
    body: { ...prompt, model: 'known' },
    status: 400,
    answer: errorOf(400, 'model_not_available'),
  },
  {
    about: 'a prompt that is refused',
    sent: valid,
    body: { ...prompt, model: 'known' },
    status: 400,
    answer: refused('messages: not allowed'),
  },
  {
    about: 'a record of the other account, for itself',
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
    about: 'a free model, for an account without balance',
    sent: { ...json, authorization: 'Bearer sk-depleted-0123456789' },
    body: { ...prompt, model: 'free' },
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

describe('what a legal gateway may do is blamed', () => {
  test.each(legal)('by nobody, where nothing is known of it: $about', async ({ about: _, ...told }) => {
    const line = JSON.stringify(entryOf(told));
    expect(failuresIn(await reportOn(catalog, profileWith(catalog), line))).toEqual([]);
  });

  test.each(legal)('by nobody, where a profile tells of it: $about', async ({ about: _, ...told }) => {
    const line = JSON.stringify(entryOf(told));
    expect(failuresIn(await reportOn(catalog, profileWith(catalog, stated), line))).toEqual([]);
  });

  test.each([
    { about: 'headers of neither side', request: { headers: [] }, response: { headers: [] } },
    { about: 'no headers of the request', request: { headers: undefined }, response: {} },
    { about: 'a status of a browser that gave up', request: {}, response: { status: -1 } },
    {
      about: 'headers as lists',
      request: { headers: { authorization: ['Bearer sk-0123456789'] } },
      response: {},
    },
  ])('by nobody, where a recording has $about', async ({ request, response }) => {
    const whole: Record<string, object> = { ...entryOf({ status: 200, answer: good }) };
    const line = JSON.stringify({
      ...whole,
      request: { ...whole.request, ...request },
      response: { ...whole.response, ...response },
    });
    expect(failuresIn(await reportOn(catalog, profileWith(catalog), line))).toEqual([]);
  });

  test('by nobody, where Chrome leaves out credentials', async () => {
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
    expect(failuresIn(await reportOn(catalog, profileWith(catalog), JSON.stringify(har)))).toEqual([]);
  });
});
