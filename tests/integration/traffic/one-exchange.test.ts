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
const key = 'sk-client-0123456789abcdef';
const headersOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bearer: { ...json, authorization: `Bearer ${key}` },
  'x-api-key': { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  'x-goog-api-key': { ...json, 'x-goog-api-key': key },
  none: json,
  basic: { ...json, authorization: `Basic ${key}` },
  token: { ...json, authorization: `Token ${key}` },
  'api-key': { ...json, 'api-key': key },
};
const parts = { contents: [{ parts: [{ text: 'Hello' }] }] };
const calls: Readonly<
  Record<string, { readonly url: string; readonly body: object; readonly success: unknown }>
> = {
  chat: { url: '/v1/chat/completions', body: helloBody, success: { choices: [] } },
  responses: { url: '/v1/responses', body: { model: 'm', input: 'Hello' }, success: { output: [] } },
  messages: { url: '/v1/messages', body: { ...helloBody, max_tokens: 9 }, success: { content: [] } },
  generate: { url: '/v1beta/models/m:generateContent', body: parts, success: { candidates: [] } },
};
const streams: Readonly<Record<string, { readonly url: string; readonly body: object }>> = {
  chat: { url: '/v1/chat/completions', body: { ...helloBody, stream: true } },
  generate: { url: '/v1beta/models/m:streamGenerateContent?alt=sse', body: parts },
};
const events = 'data: {"a":1}\n\ndata: {"a":2}\n\n';

async function findFailures(row: ExchangeRow, stated?: object): Promise<string[]> {
  return failuresIn(
    await checkRecording(catalog, profileWith(catalog, stated), JSON.stringify(entryOf(row))),
  );
}

describe('one exchange is enough to report a gateway that', () => {
  test.each(
    Object.keys(calls).flatMap((operation) => [
      { operation, header: 'none', broken: 'auth/missing-credential' },
      { operation, header: 'basic', broken: 'auth/other-scheme' },
      { operation, header: 'token', broken: 'auth/other-scheme' },
      { operation, header: 'api-key', broken: 'auth/key-in-unlisted-header' },
      ...(operation === 'generate'
        ? []
        : [{ operation, header: 'x-goog-api-key', broken: 'auth/goog-header-outside-family-c' }]),
    ]),
  )('serves $operation with the credential $header', async ({ operation, header, broken }) => {
    const { url, body, success } = calls[operation] ?? { url: '', body: {}, success: {} };
    const row = { url, body, sent: headersOf[header] ?? {}, status: 200, answer: success };
    expect(await findFailures(row)).toEqual([`violates ${broken}`]);
  });

  test.each(
    Object.keys(streams).flatMap((operation) => [
      { operation, header: 'none', broken: 'streams/missing-credential' },
      { operation, header: 'basic', broken: 'streams/malformed-credential' },
    ]),
  )('streams $operation with the credential $header', async ({ operation, header, broken }) => {
    const { url, body } = streams[operation] ?? { url: '', body: {} };
    const received = { 'content-type': 'text/event-stream' };
    const row = { url, body, sent: headersOf[header] ?? {}, status: 200, received, answer: events };
    expect(await findFailures(row)).toEqual([`violates ${broken}`]);
  });

  test.each(
    Object.keys(calls).flatMap((operation) => [
      { operation, header: 'bearer', type: 'invalid_api_key', broken: 'auth/bad-bearer-token' },
      { operation, header: 'x-api-key', type: 'invalid_bearer_token', broken: 'auth/bad-x-api-key' },
      { operation, header: 'none', type: 'invalid_api_key', broken: 'auth/missing-credential' },
    ]),
  )('refuses $header of $operation as $type', async ({ operation, header, type, broken }) => {
    const { url, body } = calls[operation] ?? { url: '', body: {} };
    const row = { url, body, sent: headersOf[header] ?? {}, status: 401, answer: errorOf(401, type) };
    const stated = {
      operations: { messages: 'POST /v1/messages', generate: 'POST /v1beta/models/{model}:generateContent' },
    };
    expect(await findFailures(row, stated)).toEqual([`violates ${broken}`]);
  });

  const whole = errorOf(400, 'invalid_request_error');
  const error = { message: 'the model', type: 'invalid_request_error', code: 400, details: null };
  test.each([
    { about: 'no JSON', answer: 'Bad Request', broken: ['json-object'] },
    { about: 'JSON that is not an object', answer: [], broken: ['json-object'] },
    { about: 'no error', answer: { trace_id: traceId }, broken: ['error-object'] },
    {
      about: 'no message',
      answer: { error: { ...error, message: undefined }, trace_id: traceId },
      broken: ['message-string'],
    },
    {
      about: 'an empty message',
      answer: { error: { ...error, message: ' ' }, trace_id: traceId },
      broken: ['message-not-empty'],
    },
    {
      about: 'a code that is a string',
      answer: { error: { ...error, code: '400' }, trace_id: traceId },
      broken: ['code-integer'],
    },
    {
      about: 'the code of another status',
      answer: { error: { ...error, code: 500 }, trace_id: traceId },
      broken: ['code-equals-status'],
    },
    {
      about: 'no details',
      answer: { error: { ...error, details: undefined }, trace_id: traceId },
      broken: ['details-present'],
    },
    {
      about: 'details that are a string',
      answer: { error: { ...error, details: 'x' }, trace_id: traceId },
      broken: ['details-object-or-null'],
    },
    { about: 'no trace id', answer: { error }, broken: ['trace-id-present'] },
    {
      about: 'a trace id that is not a UUID',
      answer: { error, trace_id: 'x' },
      broken: ['trace-id-uuid', 'trace-header-matches-body'],
    },
    {
      about: 'an unknown type',
      answer: { error: { ...error, type: 'bad' }, trace_id: traceId },
      broken: ['type-fits-status-family-a'],
    },
    { about: 'no trace id header', answer: whole, received: json, broken: ['trace-header-present'] },
    {
      about: 'a trace id header that is not a UUID',
      answer: whole,
      received: { ...json, 'x-trace-id': 'x' },
      broken: ['trace-header-uuid', 'trace-header-matches-body'],
    },
  ])('responds to an error with $about', async ({ answer, received, broken }) => {
    const row = { status: 400, answer, ...(received && { received }) };
    expect((await findFailures(row)).sort()).toEqual(broken.map((id) => `violates model-error/${id}`).sort());
  });

  test.each([
    { body: { model: 'm' }, broken: 'chat/messages-missing' },
    { body: { model: 'm', messages: {} }, broken: 'chat/messages-array' },
    { body: { model: 'm', messages: [1] }, broken: 'chat/message-object' },
    { body: { model: 'm', messages: [{ content: 'a' }] }, broken: 'chat/role-missing' },
    { body: { model: 'm', messages: [{ role: 1, content: 'a' }] }, broken: 'chat/role-string' },
    { body: { model: 'm', messages: [{ role: 'user' }] }, broken: 'chat/content-missing' },
    { body: { model: 'm', messages: [{ role: 'user', content: 1 }] }, broken: 'chat/content-string' },
    { body: { model: 'm', messages: [{ role: 'user', content: null }] }, broken: 'chat/content-string' },
    { body: { model: 'm', Messages: helloBody.messages }, broken: 'chat/messages-missing' },
    { body: { messages: helloBody.messages }, broken: 'chat/model-missing' },
    { body: { ...helloBody, model: 1 }, broken: 'chat/model-string' },
    { body: { ...helloBody, model: '' }, broken: 'chat/model-empty' },
    { body: '{"model"', broken: 'requests/body-json' },
    { body: '[]', broken: 'chat/body-object' },
    { body: '', broken: 'chat/empty-body' },
  ])('accepts the body $body', async ({ body, broken }) => {
    expect(await findFailures({ body, status: 200, answer: { choices: [] } })).toEqual([
      `violates ${broken}`,
    ]);
  });

  test.each([
    { about: 'serves', status: 200, failures: [] },
    {
      about: 'fails for',
      status: 422,
      failures: ['warns model-error/other-statuses', 'warns requests/lenient-json'],
    },
  ])('$about a body that only lenient parsers read', async ({ status, failures }) => {
    const body = `{"model":"m","messages":${JSON.stringify(helloBody.messages)},"temperature":NaN,}`;
    expect((await findFailures({ body, status, answer: { choices: [] } })).sort()).toEqual(failures);
  });

  test.each([
    ['a content length of 0', { 'content-length': '0' }, {}],
    ['a content length of 0 and a content type', { ...json, 'content-length': '0' }, {}],
    ['an empty text', {}, { postData: { text: '' } }],
    ['an empty text and a content type', json, { postData: { text: '' } }],
  ])('accepts an empty body, recorded as %s', async (_, sent, request) => {
    const row = { sent: { ...sent, authorization: `Bearer ${key}` }, status: 200, answer: { choices: [] } };
    const entry: Readonly<Record<string, object>> = { ...entryOf(row) };
    const recorded = { ...entry, request: { ...entry.request, postData: undefined, ...request } };
    const report = await checkRecording(catalog, profileWith(catalog), JSON.stringify(recorded));
    expect(failuresIn(report)).toEqual(['violates chat/empty-body']);
  });

  const otherStatus = 'violates model-error/status-fits-type';
  test.each([
    {
      about: '404 for an unlisted model',
      status: 404,
      type: 'model_not_available',
      broken: [otherStatus, 'violates models/unlisted'],
    },
    {
      about: '403 for an unsupported model',
      status: 403,
      type: 'model_not_supported',
      broken: [otherStatus, 'violates models/unsupported'],
    },
    {
      about: '403 for a low balance',
      status: 403,
      type: 'insufficient_balance',
      broken: ['violates balance/family-a', otherStatus],
    },
    { about: '429 for a low balance', status: 429, type: 'insufficient_balance', broken: [otherStatus] },
    { about: '503 for an unlisted model', status: 503, type: 'model_not_available', broken: [otherStatus] },
    {
      about: '402 for a low balance in family A',
      status: 402,
      type: 'insufficient_balance',
      broken: ['violates balance/family-a', 'violates model-error/type-fits-status-family-a'],
    },
  ])('responds with $about, also if the key and the model are known', async ({ status, type, broken }) => {
    const row = { status, answer: errorOf(status, type) };
    expect((await findFailures(row)).sort()).toEqual(broken);
    const known = { keys: { valid: key }, models: { chat: { good: helloBody.model } } };
    expect((await findFailures(row, known)).sort()).toEqual(broken);
  });

  test('refuses a known key in a header that the operation does not accept as a wrong key', async () => {
    const row = {
      sent: headersOf['x-goog-api-key'] ?? {},
      status: 401,
      answer: errorOf(401, 'invalid_api_key'),
    };
    const broken = ['violates auth/goog-header-outside-family-c'];
    expect(await findFailures(row)).toEqual(broken);
    expect(await findFailures(row, { keys: { valid: key } })).toEqual(broken);
  });
});

test.each([
  ['403', 403],
  ['429', 429],
  ['500', 500],
  ['502', 502],
])(
  'one %s with a page does not report a gateway, since a server in front may have sent it',
  async (_, status) => {
    expect(await findFailures({ status, answer: '<html>Sorry</html>' })).toEqual([]);
  },
);

const stated = {
  keys: { valid: key, deleted: 'sk-deleted-0123456789', depleted: 'sk-depleted-0123456789' },
  models: { chat: { good: 'good', unsupported: 'off', textOnly: 'text', mismatched: 'other' } },
  operations: {
    usage: 'GET /v1/usage?from={start}&to={end}',
    record: 'GET /v1/record?request_id={request_id}',
    balance: { request: 'POST /v1/billing', body: { ask: 'balance' } },
    internalError: { request: 'POST /v1/billing', body: { ask: 'crash' } },
  },
  records: { foreign: '11111111-1111-4111-8111-111111111111' },
};
const asks = { method: 'GET', status: 200, received: json, answer: {} };

describe('with a profile, one exchange is enough to report a gateway that', () => {
  test.each([
    { header: 'bearer', type: 'invalid_api_key', broken: ['violates auth/bad-bearer-token'] },
    { header: 'x-api-key', type: 'invalid_bearer_token', broken: ['violates auth/bad-x-api-key'] },
    { header: 'bearer', type: 'invalid_bearer_token', broken: [] },
  ])('refuses the valid key in $header as $type: $broken', async ({ header, type, broken }) => {
    const { url, body } = calls.chat ?? { url: '', body: {} };
    const row = { url, body, sent: headersOf[header] ?? {}, status: 401, answer: errorOf(401, type) };
    expect(await findFailures(row, { keys: { valid: key } })).toEqual(broken);
  });
  test.each([
    {
      about: 'a deleted key',
      row: { sent: { ...json, authorization: 'Bearer sk-deleted-0123456789' } },
      broken: 'auth/deleted-bearer-token',
    },
    {
      about: 'a depleted key',
      row: {
        sent: { ...json, authorization: 'Bearer sk-depleted-0123456789' },
        body: { ...helloBody, model: 'good' },
      },
      broken: 'balance/family-a',
    },
    {
      about: 'a model that is not supported',
      row: { body: { ...helloBody, model: 'off' } },
      broken: 'models/unsupported',
    },
    {
      about: 'a model of another protocol',
      row: { body: { ...helloBody, model: 'other' } },
      broken: 'models/mismatched',
    },
    {
      about: 'an image for a text-only model',
      row: { body: { model: 'text', messages: [{ role: 'user', content: [{ type: 'image_url' }] }] } },
      broken: 'models/image-to-text-only',
    },
    {
      about: 'a word instead of a UUID',
      row: { ...asks, url: '/v1/record?request_id=abc' },
      broken: 'billing/request-id-uuid',
    },
    {
      about: 'a record of another account',
      row: { ...asks, url: `/v1/record?request_id=${stated.records.foreign}` },
      broken: 'billing/record-foreign',
    },
    {
      about: 'a range that ends before its start',
      row: { ...asks, url: '/v1/usage?from=1700000009&to=1700000000' },
      broken: 'billing/range-reversed',
    },
    {
      about: 'an invalid time',
      row: { ...asks, url: '/v1/usage?from=not-a-date&to=1700000000' },
      broken: 'billing/time-unparseable',
    },
    {
      about: 'a request that must fail',
      row: { url: '/v1/billing', body: { ask: 'crash' } },
      broken: 'billing/internal-error',
    },
  ])('accepts $about', async ({ row, broken }) => {
    expect(await findFailures({ status: 200, answer: { choices: [] }, ...row }, stated)).toEqual([
      `violates ${broken}`,
    ]);
  });
});

describe('with a profile, one exchange does not report a gateway that', () => {
  const image = { type: 'image', source: {} };
  const call = { type: 'tool_use', id: 'a', name: 'add', input: image };
  test.each<[string, Partial<ExchangeRow>]>([
    [
      'a message of the system',
      { body: { model: 'text', messages: [{ role: 'system', content: [image] }] } },
    ],
    ['the input of a tool', { body: { model: 'text', messages: [{ role: 'assistant', content: [call] }] } }],
    [
      'the result of a tool',
      {
        body: {
          model: 'text',
          messages: [{ role: 'user', content: [{ type: 'tool_result', content: [image] }] }],
        },
      },
    ],
    [
      'the response of a function',
      {
        url: '/v1beta/models/text:generateContent',
        body: { contents: [{ role: 'user', parts: [{ functionResponse: { response: image } }] }] },
      },
    ],
    [
      'the output of a function',
      { url: '/v1/responses', body: { model: 'text', input: [{ output: [image] }] } },
    ],
  ])('accepts an image for a text-only model in %s', async (_, row) => {
    expect(await findFailures({ status: 200, answer: { choices: [] }, ...row }, stated)).toEqual([]);
  });

  const known = { keys: { valid: key }, models: { chat: { good: helloBody.model } } };
  const refusal = (accept: string, added = {}): ExchangeRow => ({
    body: { ...helloBody, ...added },
    sent: { ...headersOf.bearer, accept },
    status: 406,
    answer: errorOf(406, 'invalid_request_error'),
  });
  test.each(['image/png', 'text/html', 'application/json;q=0, text/plain', 'text/event-stream'])(
    'responds with 406 to a plain call that accepts only %s',
    async (accept) => {
      expect(await findFailures(refusal(accept), known)).toEqual([]);
    },
  );
  test.each([
    ['*/*', {}],
    ['', {}],
    ['text/html, application/*;q=0.5', {}],
    ['text/event-stream', { stream: true }],
  ])('must not respond with 406 to a call with the accept header %j and %j', async (accept, added) => {
    expect(await findFailures(refusal(accept, added), known)).not.toEqual([]);
  });
  test('responds with 406 to one of two calls that differ only in the accept header', async () => {
    for (const accepts of [
      ['*/*', 'image/png'],
      ['image/png', '*/*'],
    ]) {
      const lines = accepts.map((accept) => JSON.stringify(entryOf(refusal(accept))));
      const { cases } = await checkRecording(catalog, profileWith(catalog, known), lines.join('\n'));
      const failed = cases.flatMap(({ exchanges, checks }) =>
        checks.some(({ outcome }) => outcome === 'violates')
          ? exchanges.map(({ request }) => request.headers.accept)
          : [],
      );
      expect([...new Set(failed)]).toEqual(['*/*']);
    }
  });

  test('responds with 200 to an operation that shares a path with a failing operation', async () => {
    expect(
      await findFailures(
        { url: '/v1/billing', body: { ask: 'balance' }, status: 200, answer: {}, sent: client },
        stated,
      ),
    ).toEqual([]);
  });
});
