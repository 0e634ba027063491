import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import {
  checkRecording,
  type ExchangeRow,
  entryOf,
  errorOf,
  failuresIn,
  helloBody,
  profileWith,
} from '../../support/recorded-exchange.ts';

const catalog = await catalogOfPackage();

const json = { 'content-type': 'application/json', accept: 'application/json' };
const key = 'sk-client-0123456789abcdef';
const deleted = 'sk-deleted-0123456789';
const stated = { keys: { valid: key, deleted }, models: { chat: { good: helloBody.model } } };
const bearer = { ...json, authorization: `Bearer ${key}` };
const other = { ...json, authorization: 'Bearer sk-other-0123456789abcdef' };
const works: ExchangeRow = { sent: bearer, status: 200, answer: { choices: [] } };
const wrongKey: ExchangeRow = { sent: other, status: 401, answer: errorOf(401, 'invalid_bearer_token') };
const refused = (status: number, type: string): ExchangeRow => ({
  sent: { ...json, 'x-api-key': key, 'anthropic-version': '2023-06-01' },
  status,
  answer: errorOf(status, type),
});
const incomplete = { sent: bearer, body: { model: helloBody.model } };
const crash: ExchangeRow = { ...incomplete, status: 500, answer: errorOf(500, 'internal_error') };
const busy: ExchangeRow = { ...incomplete, status: 503, answer: errorOf(503, 'service_unavailable') };
const rejected: ExchangeRow = {
  ...incomplete,
  status: 400,
  answer: errorOf(400, 'invalid_request_error', 'messages'),
};

/** Returns the violations of a recording with these exchanges, which are one second apart by default. */
async function findViolations(...rows: readonly ExchangeRow[]): Promise<string[]> {
  return findViolationsWith(stated, ...rows);
}

async function findViolationsWith(profile: object, ...rows: readonly ExchangeRow[]): Promise<string[]> {
  const lines = rows.map((row, index) => JSON.stringify(entryOf({ at: index * 1_000, ...row })));
  const report = await checkRecording(catalog, profileWith(catalog, profile), lines.join('\n'));
  return failuresIn(report).filter((failure) => failure.startsWith('violates'));
}

describe('a valid key that is refused', () => {
  test.each([
    ['401', refused(401, 'invalid_api_key')],
    ['403', refused(403, 'forbidden')],
  ])('with %s in another header between successes is a violation', async (_, row) => {
    expect(await findViolations(works, row, works)).toEqual(['violates auth/good-x-api-key']);
  });
  test.each<[string, readonly ExchangeRow[]]>([
    ['before the first success', [refused(401, 'invalid_api_key'), works]],
    ['after the last success', [works, refused(401, 'invalid_api_key')]],
    ['after a wrong key with 403, which a guard may send', [works, wrongKey, refused(403, 'x'), works]],
  ])('%s is undecided', async (_, rows) => {
    expect(await findViolations(...rows)).toEqual([]);
  });
});

describe('a valid key that a billing-type endpoint refuses', () => {
  const own = '22222222-2222-4222-8222-222222222222';
  const billing = {
    ...stated,
    operations: { balance: 'GET /v1/balance', record: 'GET /v1/record?request_id={request_id}' },
    records: { own },
  };
  const asks = (url: string, status: number, answer: unknown): ExchangeRow => ({
    method: 'GET',
    url,
    sent: bearer,
    status,
    answer,
  });
  const forbidden = { error: { code: 'forbidden', message: 'No.' } };
  const page = '<h1>Forbidden</h1>';
  test.each([
    ['its own record, with 403', asks(`/v1/record?request_id=${own}`, 403, forbidden)],
    ['the balance, with 403', asks('/v1/balance', 403, forbidden)],
    ['the balance, with 401', asks('/v1/balance', 401, { error: { code: 'unauthorized', message: 'No.' } })],
  ])('for %s between successes of another operation is a violation', async (_, row) => {
    expect(await findViolationsWith(billing, works, row, works)).toEqual(['violates auth/good-bearer-token']);
  });
  test.each<[string, readonly ExchangeRow[]]>([
    ['after the last success', [works, asks('/v1/balance', 403, forbidden)]],
    ['with a page, which a firewall may send', [works, asks('/v1/balance', 403, page), works]],
    [
      'with 404, since the record may be gone',
      [
        works,
        asks(`/v1/record?request_id=${own}`, 404, { error: { code: 'not_found', message: 'No.' } }),
        works,
      ],
    ],
  ])('%s is undecided', async (_, rows) => {
    expect(await findViolationsWith(billing, ...rows)).toEqual([]);
  });
});

describe('a low balance with the status of an overload', () => {
  const row = (status: number, type: string): ExchangeRow => ({
    sent: bearer,
    status,
    answer: errorOf(status, type),
  });
  test.each([429, 500, 503])('%i between successes of the operation is a violation', async (status) => {
    expect(await findViolations(works, row(status, 'insufficient_balance'), works)).toContain(
      'violates balance/family-a',
    );
  });
  test('is undecided without a later success, except that the status does not fit the type', async () => {
    expect(await findViolations(works, row(503, 'insufficient_balance'))).toEqual([
      'violates model-error/status-fits-type',
    ]);
  });
  test('is undecided if the type names no balance, such as a quota for calls', async () => {
    expect(await findViolations(works, row(429, 'insufficient_quota'), works)).toEqual([]);
  });
});

describe('a wrong key that gets 403', () => {
  const withKey = (name: string, status: number, type: string): ExchangeRow => ({
    sent: { ...json, authorization: `Bearer ${name}` },
    status,
    answer: errorOf(status, type),
  });
  const unauthorized = ['a', 'b', 'c'].map((name) =>
    withKey(`sk-wrong-${name}-0123456789`, 401, 'invalid_bearer_token'),
  );
  const forbidden = withKey(deleted, 403, 'forbidden');
  test('is a violation', async () => {
    expect(await findViolations(works, forbidden, works)).toEqual(['violates auth/deleted-bearer-token']);
  });
  test('is undecided after three wrong keys with 401, since a guard may have blocked the client', async () => {
    expect(await findViolations(works, ...unauthorized, forbidden, works)).toEqual([]);
  });
  test('is a violation after fewer or much earlier wrong keys', async () => {
    const fewer = unauthorized.slice(1);
    expect(await findViolations(works, ...fewer, forbidden)).toEqual(['violates auth/deleted-bearer-token']);
    const later = { ...forbidden, at: 3_600_000 };
    expect(await findViolations(works, ...unauthorized, later)).toEqual([
      'violates auth/deleted-bearer-token',
    ]);
  });
});

describe('successes that prove nothing', () => {
  const staging = { ...works, url: 'https://staging.gateway.example/v1/chat/completions' };
  const tenant = { sent: { ...bearer, 'x-tenant': 'none' } };
  const row = refused(401, 'invalid_api_key');
  test.each<[string, readonly ExchangeRow[]]>([
    ['of another host', [staging, row, staging]],
    ['for another tenant', [{ ...works, ...tenant }, row, { ...works, ...tenant }]],
    ['at other times than their place in the file', [works, { ...row, at: 90_000 }, works]],
    ['during the call', [works, { ...row, time: 5_000 }, works]],
    ['too long before', [works, { ...row, at: 3_600_000 }, { ...works, at: 3_601_000 }]],
    ['too long after', [works, row, { ...works, at: 3_600_000 }]],
  ])('%s leave a refused key undecided', async (_, rows) => {
    expect(await findViolations(...rows)).toEqual([]);
  });
  test.each([
    [404, 'not_found'],
    [400, 'invalid_request_error'],
  ])('without the header of the refused request leave a %s undecided', async (status, type) => {
    const provider = { ...bearer, 'x-provider': 'none' };
    const unknown = { sent: provider, status, answer: errorOf(status, type) };
    expect(await findViolations(works, unknown, works)).toEqual([]);
    const list: ExchangeRow = { ...unknown, method: 'GET', url: '/v1/models' };
    expect(await findViolations(works, list, works)).toEqual([]);
  });
  test('with the same content, but not streamed, prove a refused stream', async () => {
    const stream: ExchangeRow = {
      sent: { ...bearer, accept: 'text/event-stream' },
      body: { ...helloBody, stream: true },
      status: 403,
      answer: errorOf(403, 'permission_denied'),
    };
    expect(await findViolations(works, stream, works)).toContain('violates streams/succeeds');
  });
  test('of another content leave a 403 undecided', async () => {
    const other = { ...helloBody, messages: [{ role: 'user', content: 'Draw a cat' }] };
    const forbidden: ExchangeRow = {
      sent: bearer,
      body: other,
      status: 403,
      answer: errorOf(403, 'content_policy'),
    };
    expect(await findViolations(works, forbidden, works)).toEqual([]);
    const sameContent = { ...works, body: other };
    expect(await findViolations(sameContent, forbidden, sameContent)).toContain(
      'violates auth/good-bearer-token',
    );
  });
});

describe('an invalid request that gets 500', () => {
  test('three times between successes is a violation', async () => {
    expect(await findViolations(works, crash, works, crash, works, crash, works)).toEqual([
      'violates chat/messages-missing',
    ]);
  });
  test.each<[string, readonly ExchangeRow[]]>([
    ['twice', [works, crash, works, crash, works]],
    ['three times without a success after the last', [works, crash, works, crash, works, crash]],
    ['and also 400', [works, crash, works, rejected, crash, works, crash, works]],
    ['in three retries between the same successes', [works, crash, crash, crash, works]],
    ['with a status of too much load', [works, busy, works, busy, works, busy, works]],
    ['without any success', [crash, crash, crash]],
  ])('%s is undecided', async (_, rows) => {
    expect(await findViolations(...rows)).toEqual([]);
  });
});

describe('other failures between successes', () => {
  const wrongModel: ExchangeRow = { ...incomplete, status: 400, answer: errorOf(400, 'model_not_supported') };
  const errorInside: ExchangeRow = { ...works, answer: errorOf(500, 'internal_error') };
  const inOneHeader: ExchangeRow = { ...refused(500, 'internal_error') };
  test.each<[string, ExchangeRow, string]>([
    ['a model error for an invalid body', wrongModel, 'violates chat/messages-missing'],
    ['a 500 with a valid key in one header', inOneHeader, 'violates auth/good-x-api-key'],
  ])('%s is a violation after three occurrences', async (_, row, violation) => {
    const found = await findViolations(works, row, works, row, works, row, works);
    expect(found).toContain(violation);
    expect(await findViolations(works, row, works, row, works)).toEqual([]);
  });
  test('an unanswered invalid request is undecided, even after three occurrences', async () => {
    const unanswered = { ...incomplete, status: 0 };
    expect(await findViolations(works, unanswered, works, unanswered, works, unanswered, works)).toEqual([]);
  });
  test('an error in a 2xx is undecided if the same call also succeeds', async () => {
    expect(await findViolations(works, errorInside, works, errorInside, works, errorInside, works)).toEqual(
      [],
    );
  });
});
