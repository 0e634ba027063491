import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { createClientJudge } from './client-duties.ts';

type SentRequest = {
  readonly at: number;
  readonly status: number;
  readonly after?: string;
  readonly body?: string;
  readonly took?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

function exchangeOf({ at, status, after, body = '{}', took = 10, headers: own }: SentRequest): Exchange {
  const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
  return {
    id: `at ${at}`,
    attributes: { operation: 'chat', family: 'A', header: 'bearer' },
    model: undefined,
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json', ...own },
      body,
    },
    result: {
      kind: 'answer',
      answer: { status, headers, text: '', size: 0, content: { kind: 'text' }, pieces: 1 },
    },
    startedAt: at,
    durationMs: took,
    earlier: [],
    controlAfter: undefined,
  };
}

const { clientDuties } = await catalogOfPackage();

function violatedBy(sent: readonly SentRequest[], isWhole = true): string[] {
  const judge = createClientJudge(clientDuties, 'anthropic-version');
  for (const one of sent)
    judge.judge({ exchange: exchangeOf(one), credentialCount: 1, isWhole, redact: (text) => text });
  return judge.report().duties.flatMap(({ id, broken }) => (broken > 0 ? [id] : []));
}

/** Creates identical requests with these pauses in between, in milliseconds. */
function withGaps(status: number, ...gaps: number[]): SentRequest[] {
  let at = 1_000_000;
  return [0, ...gaps].map((gap) => {
    at += gap + 10;
    return { at, status };
  });
}

describe('client duties', () => {
  test.each([
    {
      about: 'the same request again after 400',
      sent: withGaps(400, 500),
      broken: ['client/no-repeat-of-400'],
    },
    {
      about: 'a request after 400 that differs only in the headers of each try',
      sent: withGaps(400, 500).map((one, index) => ({
        ...one,
        headers: {
          'x-stainless-retry-count': `${index}`,
          'idempotency-key': `try-${index}`,
          'x-client-request-id': `${index}`,
          traceparent: `00-${index}`,
          'sentry-trace': `${index}-1`,
          'x-b3-traceid': `${index}`,
          'elastic-apm-traceparent': `00-${index}`,
          'cf-ray': `${index}-FRA`,
          cookie: `session=${index}`,
          'x-stainless-timeout': `${600 - index}`,
        },
      })),
      broken: ['client/no-repeat-of-400'],
    },
    {
      about: 'a retry without a pause after 429',
      sent: withGaps(429, 1, 1),
      broken: ['client/growing-gaps'],
    },
    {
      about: 'retries after 503 with equal pauses',
      sent: withGaps(503, 1_000, 1_000),
      broken: ['client/growing-gaps'],
    },
    {
      about: 'retries after 503 with shrinking pauses',
      sent: withGaps(503, 4_000, 2_000, 1_000),
      broken: ['client/growing-gaps'],
    },
    {
      about: 'a retry after 429 that is earlier than Retry-After',
      sent: [
        { at: 0, status: 429, after: '2' },
        { at: 500, status: 200 },
      ],
      broken: ['client/retry-after'],
    },
  ])('are violated by $about', ({ sent, broken }) => {
    expect(violatedBy(sent)).toEqual(broken);
  });

  test.each([
    {
      about: 'another body after a 400',
      sent: [
        { at: 0, status: 400 },
        { at: 500, status: 400, body: '{"a":1}' },
      ],
    },
    ...[
      { 'content-type': 'application/json; charset=utf-8' },
      { 'x-api-key': 'sk-another' },
      { 'anthropic-version': '2023-06-01' },
      { accept: 'text/event-stream' },
      { authorization: 'Bearer sk-another' },
      { 'x-tenant': 'b' },
      Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`x-${index}`, 'a'])),
    ].map((headers) => ({
      about: `another request after a 400, with the headers ${Object.keys(headers).slice(0, 2)}`,
      sent: [
        { at: 0, status: 400 },
        { at: 500, status: 400, headers },
      ],
    })),
    { about: 'pauses that double', sent: withGaps(503, 500, 1_000, 2_000) },
    { about: 'pauses with the jitter of an SDK', sent: withGaps(503, 500, 750, 1_500) },
    { about: 'pauses that reach a maximum', sent: withGaps(503, 1_000, 2_000, 4_000, 3_900, 4_000) },
    { about: 'one pause that jitter made shorter', sent: withGaps(503, 900, 400) },
    { about: 'a request every 30 seconds', sent: withGaps(503, 30_000, 30_000, 30_000) },
    {
      about: 'retries that respect Retry-After',
      sent: [
        { at: 0, status: 429, after: '1' },
        { at: 1_010, status: 429, after: '1' },
        { at: 2_020, status: 200 },
      ],
    },
    {
      about: 'identical requests that overlap in time',
      sent: [
        { at: 0, status: 400, took: 100 },
        { at: 5, status: 400, took: 100 },
        { at: 300, status: 400 },
      ],
    },
    {
      about: 'an exchange that was recorded twice',
      sent: [
        { at: 0, status: 400, took: 0 },
        { at: 0, status: 400, took: 0 },
      ],
    },
    { about: 'the same request ten minutes later', sent: withGaps(400, 600_000) },
  ])('are not violated by $about', ({ sent }) => {
    expect(violatedBy(sent)).toEqual([]);
  });

  test('about retries are not checked if bodies are not recorded', () => {
    expect(violatedBy(withGaps(400, 500), false)).toEqual([]);
  });
});
