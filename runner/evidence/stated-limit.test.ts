import { expect, test } from 'vitest';
import type { Answer } from '../exchange/exchange.ts';
import { readStatedLimit } from './stated-limit.ts';

function answered(status: number, headers: Answer['headers'], message?: string): Answer {
  const value = { error: { message } };
  const content = message === undefined ? { kind: 'text' as const } : { kind: 'json' as const, value };
  return { status, headers, text: JSON.stringify(value), size: 0, content, pieces: 1 };
}

const minute = 60_000;
test.each<[string, number, number]>([
  ['Rate limit exceeded: 60 requests per minute.', 60, minute],
  ['limit of 60 requests a minute', 60, minute],
  ['Rate limit exceeded: 60 per 1 minute', 60, minute],
  ['60/minute', 60, minute],
  ['Limit: 6 requests per 2 seconds', 6, 2000],
  ['at most 5 calls every 10 s', 5, 10_000],
  [
    'Rate limit reached for m in organization o on requests per min (RPM): Limit 3, Used 3. Try again in 20s.',
    3,
    minute,
  ],
  ['The limit is 100 RPM', 100, minute],
  ['RPM limit: 100', 100, minute],
  ['10 QPS exceeded', 10, 1000],
  ['来源 127.0.0.1 超过每分钟 60 请求的 IP 限额，请稍后再试', 60, minute],
  ['限制为 60次/分钟', 60, minute],
])('reads the limit in the text %j', (text, requests, withinMs) => {
  expect(readStatedLimit(answered(429, {}, text))).toEqual({ requests, withinMs, quote: text });
});

test.each([
  'Too many requests. Retry in 30 seconds.',
  'Please try again in 20s.',
  'Rate limit reached on tokens per min (TPM): Limit 40000, Used 39000.',
  'At most 40000 tokens per minute',
  'Blocked after 5 failed attempts per minute',
  'Too many wrong keys: 10 requests per minute',
  `${'1'.repeat(100)} requests per`,
])('reads no limit in the text %j', (text) => {
  expect(readStatedLimit(answered(429, {}, text))).toBeUndefined();
});

test('reads no limit in the text of other responses', () => {
  expect(readStatedLimit(answered(200, {}, '60 requests per minute'))).toBeUndefined();
});

const date = 'Sun, 01 Nov 2026 10:00:00 GMT';
test.each<[Answer['headers'], number, number]>([
  [{ 'ratelimit-policy': '60;w=60' }, 60, minute],
  [{ 'ratelimit-policy': '"default";q=100;w=10' }, 100, 10_000],
  [{ 'ratelimit-limit': '60, 60;w=60' }, 60, minute],
  [{ 'x-ratelimit-limit-minute': '60' }, 60, minute],
  [{ 'x-ratelimit-limit-requests': '60', 'x-ratelimit-reset-requests': '37s' }, 60, minute],
  [{ 'x-ratelimit-limit-requests': '60', 'x-ratelimit-reset-requests': '6m0s' }, 60, 60 * minute],
  [{ 'x-ratelimit-limit': '60', 'x-ratelimit-reset': '37' }, 60, minute],
  [
    { 'x-ratelimit-limit': '60', 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 37), date },
    60,
    minute,
  ],
  [
    {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-reset': '2026-11-01T10:00:20Z',
      date,
    },
    50,
    minute,
  ],
])('reads the limit in the headers %j', (headers, requests, withinMs) => {
  expect(readStatedLimit(answered(200, headers))).toMatchObject({ requests, withinMs });
});

test.each<[Answer['headers']]>([
  [{ 'x-ratelimit-limit': '60' }],
  [{ 'x-ratelimit-limit': 'many', 'x-ratelimit-reset': '3' }],
  [{ 'x-ratelimit-limit': '0', 'x-ratelimit-reset': '3' }],
  [{ 'x-ratelimit-limit-tokens': '60', 'x-ratelimit-reset-tokens': '3s' }],
  [{ 'ratelimit-policy': '"tokens";q=100;w=10' }],
  [{ 'retry-after': '3' }],
])('reads no limit in the headers %j', (headers) => {
  expect(readStatedLimit(answered(429, headers))).toBeUndefined();
});
