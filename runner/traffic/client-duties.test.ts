import { describe, expect, test } from 'vitest';
import { loadCatalog } from '../catalog/catalog.ts';
import type { Exchange } from '../transport/exchange.ts';
import { makeClientJudge } from './client-duties.ts';

type Sent = {
  readonly at: number;
  readonly status: number;
  readonly after?: string;
  readonly body?: string;
  readonly took?: number;
};

function exchangeOf({ at, status, after, body = '{}', took = 10 }: Sent): Exchange {
  const headers: Record<string, string> = after === undefined ? {} : { 'retry-after': after };
  return {
    id: `at ${at}`,
    facts: { operation: 'chat', family: 'A', header: 'bearer' },
    model: undefined,
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'content-type': 'application/json' },
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

const { clientDuties } = await loadCatalog();

function brokenBy(sent: readonly Sent[], isWhole = true): string[] {
  const judge = makeClientJudge(clientDuties, 'anthropic-version');
  for (const one of sent)
    judge.take({ exchange: exchangeOf(one), credentials: 1, isWhole, show: (text) => text });
  return judge.report().duties.flatMap(({ id, broken }) => (broken > 0 ? [id] : []));
}

/** Requests with those pauses between an answer and the next of them. */
function withGaps(status: number, ...gaps: number[]): Sent[] {
  let at = 1_000_000;
  return [0, ...gaps].map((gap) => {
    at += gap + 10;
    return { at, status };
  });
}

describe('a client is blamed', () => {
  test.each([
    { about: 'a 400 again', sent: withGaps(400, 500), broken: ['client/no-repeat-of-400'] },
    { about: 'a 429 at once', sent: withGaps(429, 1, 1), broken: ['client/growing-gaps'] },
    { about: 'a 503 after equal pauses', sent: withGaps(503, 1_000, 1_000), broken: ['client/growing-gaps'] },
    {
      about: 'a 503 after shorter and shorter pauses',
      sent: withGaps(503, 4_000, 2_000, 1_000),
      broken: ['client/growing-gaps'],
    },
    {
      about: 'a 429 sooner than it was asked to',
      sent: [
        { at: 0, status: 429, after: '2' },
        { at: 500, status: 200 },
      ],
      broken: ['client/retry-after'],
    },
  ])('that sends $about', ({ sent, broken }) => {
    expect(brokenBy(sent)).toEqual(broken);
  });

  test.each([
    {
      about: 'another body after a 400',
      sent: [
        { at: 0, status: 400 },
        { at: 500, status: 400, body: '{"a":1}' },
      ],
    },
    { about: 'twice as long pauses', sent: withGaps(503, 500, 1_000, 2_000) },
    { about: 'pauses with the jitter of an SDK', sent: withGaps(503, 500, 750, 1_500) },
    { about: 'pauses that reach their longest', sent: withGaps(503, 1_000, 2_000, 4_000, 3_900, 4_000) },
    { about: 'one pause that chance made shorter', sent: withGaps(503, 900, 400) },
    { about: 'a question every 30 seconds', sent: withGaps(503, 30_000, 30_000, 30_000) },
    {
      about: 'what it was asked to',
      sent: [
        { at: 0, status: 429, after: '1' },
        { at: 1_010, status: 429, after: '1' },
        { at: 2_020, status: 200 },
      ],
    },
    {
      about: 'the same at the same time',
      sent: [
        { at: 0, status: 400, took: 100 },
        { at: 5, status: 400, took: 100 },
        { at: 300, status: 400 },
      ],
    },
    {
      about: 'nothing, where an exchange was recorded twice',
      sent: [
        { at: 0, status: 400, took: 0 },
        { at: 0, status: 400, took: 0 },
      ],
    },
    { about: 'the same long after', sent: withGaps(400, 600_000) },
  ])('for nothing, that sends $about', ({ sent }) => {
    expect(brokenBy(sent)).toEqual([]);
  });

  test('for nothing, where bodies are not recorded', () => {
    expect(brokenBy(withGaps(400, 500), false)).toEqual([]);
  });
});
