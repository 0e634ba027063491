import { expect, test } from 'vitest';
import type { Exchange, Result } from '../exchange/exchange.ts';
import { createLimitCheck, findRequestLimit } from './request-limit.ts';

function answered(status: number, text = '', headers: Readonly<Record<string, string>> = {}): Result {
  return { kind: 'answer', answer: { status, headers, text, size: 0, content: { kind: 'text' }, pieces: 1 } };
}

function sentAt(startedAt: number, result: Result, attributes: Exchange['attributes'] = {}): Exchange {
  const request = { method: 'GET', path: '/v1/models', headers: {}, body: undefined };
  const given = { key: 'good', surface: 'list', ...attributes };
  const rest = { earlier: [], durationMs: 10, controlAfter: undefined, model: undefined };
  return { id: String(startedAt), attributes: given, request, result, startedAt, ...rest };
}

const served = (count: number, from: number, every: number): Exchange[] =>
  Array.from({ length: count }, (_, index) => sentAt(from + index * every, answered(200)));
const sent = (others: readonly Exchange[]) => ({ exchanges: new Map(), others });

test('a limit that is not stated is measured until a request is served again', () => {
  const all = [
    ...served(60, 0, 100),
    sentAt(6000, answered(429)),
    sentAt(7000, answered(429)),
    sentAt(60_000, answered(200)),
  ];
  expect(findRequestLimit(sent(all))).toMatchObject({
    requests: 60,
    withinMs: 60_000,
    isStated: false,
    stopped: 2,
  });
});

test('a limit that is not stated is measured until the time of Retry-After', () => {
  const all = [...served(20, 0, 100), sentAt(2000, answered(429, '', { 'retry-after': '8' }))];
  expect(findRequestLimit(sent(all))).toMatchObject({ requests: 20, withinMs: 10_000 });
});

test('a stated limit is taken as stated', () => {
  const all = [sentAt(0, answered(429)), sentAt(1, answered(429, '60 requests per minute'))];
  expect(findRequestLimit(sent(all))).toMatchObject({ requests: 60, withinMs: 60_000, isStated: true });
});

test('a 429 that a retry overcame, and a 429 of a burst, are no limit to report', () => {
  const overcome = { ...sentAt(0, answered(200)), earlier: [answered(429, '60 requests per minute')] };
  const burst = sentAt(1, answered(429, '60 requests per minute'), { burst: 'true' });
  expect(findRequestLimit(sent([overcome, burst]))).toBeUndefined();
});

test.each<[string, readonly Exchange[], boolean]>([
  [
    'before the first wrong key',
    [sentAt(0, answered(429)), sentAt(1, answered(401), { key: 'unknown' })],
    true,
  ],
  ['only after the first wrong key', [sentAt(1, answered(401), { key: 'unknown' })], false],
  [
    'before the first wrong key, but on another kind of endpoint',
    [sentAt(0, answered(429), { surface: 'billing' }), sentAt(1, answered(401), { key: 'unknown' })],
    false,
  ],
])('a 429 after wrong keys that also occurred %s', (_, others, isLimit) => {
  const last = sentAt(2, answered(429));
  expect(createLimitCheck(sent([...others, last]))(last)).toBe(isLimit);
});
