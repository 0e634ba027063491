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
} from '../../support/recorded-exchange.ts';

const catalog = await catalogOfPackage();

/** A value that the specification leaves open, so that only the repetition shows that the response is wrong. */
const body = { ...helloBody, temperature: 9 };
const invalid = errorOf(400, 'invalid_request_error', 'temperature is more than 2');
const refused: ExchangeRow = { body, status: 400, answer: invalid };
const served: ExchangeRow = { body, status: 200, answer: { choices: [] } };
const streamed = { ...body, stream: true };
const events = { status: 200, received: { 'content-type': 'text/event-stream' } };

/** Returns the failures of a recording with these exchanges, which are one second apart by default. */
async function findFailures(...rows: readonly ExchangeRow[]): Promise<string[]> {
  const start = Date.UTC(2026, 0, 1);
  const lines = rows.map(({ at, ...row }, index) =>
    JSON.stringify(entryOf({ ...row, at: start + (at ?? index * 1_000) })),
  );
  const report = await checkRecording(catalog, profileWith(catalog), lines.join('\n'));
  return failuresIn(report).filter((failure) => !failure.includes('trace/'));
}

describe('a request that the gateway refused as invalid and then serves', () => {
  const parts = { contents: [{ parts: [{ text: 'Hello' }] }], generationConfig: { temperature: 9 } };
  const generate = { url: '/v1beta/models/m:generateContent', body: parts };
  test.each<[string, Partial<ExchangeRow>, Partial<ExchangeRow>]>([
    ['in a plain call', {}, {}],
    ['in a stream', { body: streamed }, { ...events, answer: 'data: {"choices":[]}\n\ndata: [DONE]\n\n' }],
    [
      'in responses',
      { url: '/v1/responses', body: { model: 'm', input: 'a', temperature: 9 } },
      { answer: { output: [] } },
    ],
    ['in generate', generate, { answer: { candidates: [] } }],
    [
      'with another trace and number of the try',
      { sent: { ...client, traceparent: '00-b', 'x-stainless-retry-count': '1' } },
      {},
    ],
  ])('%s violates a requirement', async (_, sent, received) => {
    const first = { ...refused, ...sent, sent: client };
    expect(await findFailures(first, { ...served, ...sent, ...received })).toEqual([
      'violates requests/repeat-refused',
      'warns requests/repeat-same-answer',
    ]);
  });

  test('is found after other refusals of the same request, and shown with the response that is wrong', async () => {
    const lines = [refused, refused, served].map((row, index) =>
      JSON.stringify(entryOf({ ...row, at: Date.UTC(2026, 0, 1) + index * 1_000 })),
    );
    const { cases } = await checkRecording(catalog, profileWith(catalog), lines.join('\n'));
    const found = cases.flatMap(({ checks, exchanges }) =>
      checks
        .filter(({ requirement }) => requirement === 'requests/repeat-refused')
        .map(({ outcome, findings }) => [
          outcome,
          findings.map(({ exchange }) => exchanges.find(({ id }) => id === exchange)?.response?.status),
        ]),
    );
    expect(found).toEqual([['violates', [200]]]);
  });

  const other = { ...client, authorization: 'Bearer sk-other-0123456789abcdef' };
  const hidden = { ...client, authorization: 'Bearer [REDACTED]' };
  const image = { ...body, messages: [{ role: 'user', content: 'https://gateway.example/a.png' }] };
  const stored = { ...body, previous_response_id: 'r1' };
  test.each<[string, readonly ExchangeRow[]]>([
    ['for another key', [refused, { ...served, sent: other }]],
    ['for a key that the recorder replaced', [refused, served].map((row) => ({ ...row, sent: hidden }))],
    ['for another body', [refused, { ...served, body: { ...body, temperature: 8 } }]],
    ['at another host', [refused, { ...served, url: 'https://staging.example/v1/chat/completions' }]],
    ['for another tenant', [refused, { ...served, sent: { ...client, 'x-tenant': 'a' } }]],
    ['with another idempotency key', [refused, { ...served, sent: { ...client, 'idempotency-key': 'b' } }]],
    ['three minutes later', [refused, { ...served, at: 180_000 }]],
    ['before the refusal', [served, refused]],
    ['during the refusal', [{ ...refused, time: 5_000 }, served]],
    ['with a URL, which was not there before', [refused, served].map((row) => ({ ...row, body: image }))],
    ['with an ID, which was not there before', [refused, served].map((row) => ({ ...row, body: stored }))],
    ['after a model error', [{ ...refused, answer: errorOf(400, 'model_not_available') }, served]],
    ['after a low balance', [{ ...refused, answer: errorOf(400, 'insufficient_balance') }, served]],
    [
      'with an error in the 2xx',
      [refused, { ...served, body, answer: errorOf(400, 'invalid_request_error') }],
    ],
  ])('%s is not reported', async (_, rows) => {
    expect(await findFailures(...rows)).toEqual([]);
  });
});

describe('a request that the gateway refused as invalid and then refuses', () => {
  test('with another type should get the first one', async () => {
    expect(
      await findFailures(refused, { ...refused, answer: errorOf(400, 'invalid_request', 'temperature') }),
    ).toContain('warns requests/repeat-same-answer');
  });
  test.each<[string, Partial<ExchangeRow>]>([
    ['in the same way', {}],
    ['because of the rate', { status: 429, answer: errorOf(429, 'invalid_request_error') }],
    ['because the model is gone', { answer: errorOf(400, 'model_not_available') }],
    ['because of a deleted key', { status: 401, answer: errorOf(401, 'invalid_bearer_token') }],
    ['with a response whose body was not recorded', { answer: undefined }],
  ])('%s is not reported', async (_, row) => {
    expect(await findFailures(refused, { ...refused, ...row })).toEqual([]);
  });
});
