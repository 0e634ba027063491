import { describe, expect, test } from 'vitest';
import { readContent } from '../exchange/decode.ts';
import type { Exchange, Result } from '../exchange/exchange.ts';
import { summarizeAnswer } from './diagnose.ts';
import { createRedact } from './redaction/redact.ts';

const key = 'sk-summary-0123456789abcdef';
const redact = createRedact(new Map([[key, 'keys.valid']]));

function exchangeOf(result: Result): Exchange {
  return {
    id: 'chat',
    attributes: {},
    model: undefined,
    request: { method: 'POST', path: '/v1/chat/completions', headers: {}, body: undefined },
    result,
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
}

function summaryOf(status: number, text: string, headers: Record<string, string> = {}): string {
  const answer = { status, headers, text, size: text.length, content: readContent(text), pieces: 1 };
  return summarizeAnswer(exchangeOf({ kind: 'answer', answer }), redact);
}

describe('the message of a gateway is found in', () => {
  test.each([
    ['error.message', { error: { type: 't', message: 'M' } }],
    ['error', { error: 'M' }],
    ['message', { status: 'failure', message: 'M' }],
    ['detail', { detail: 'M' }],
    ['errors[0].message', { errors: [{ message: 'M' }, { message: 'other' }] }],
    ['error.type', { error: { type: 'M' } }],
    ['a list with the error', [{ error: { message: 'M' } }]],
  ])('%s', (_, body) => {
    expect(summaryOf(400, JSON.stringify(body))).toBe('400 "M"');
  });

  test('the list of a FastAPI validation error', () => {
    const detail = [{ type: 'missing', loc: ['body', 'model'], msg: 'Field required', input: {} }];
    expect(summaryOf(422, JSON.stringify({ detail }))).toBe('422 "body.model: Field required"');
    expect(summaryOf(422, JSON.stringify({ detail: [{ msg: 'No place' }] }))).toBe('422 "No place"');
  });

  test('the whole of a body without a message', () => {
    expect(summaryOf(500, 'Internal Server Error\n')).toBe('500 "Internal Server Error"');
    expect(summaryOf(200, '<html><title>Console</title>')).toBe('200 "<html><title>Console</title>"');
    expect(summaryOf(400, '{"code":7,"reason":"no tenant"}')).toBe('400 "{"code":7,"reason":"no tenant"}"');
    expect(summaryOf(502, '')).toBe('502');
  });
});

test('a message is one line, with invisible characters escaped, and truncated', () => {
  expect(summaryOf(400, JSON.stringify({ error: 'a\nb\u001b[2J\u202e' }))).toBe('400 "a b\\u001b[2J\\u202e"');
  const long = summaryOf(400, 'x'.repeat(500));
  expect(long).toHaveLength('400 ""'.length + 160);
  expect(long.endsWith('…"')).toBe(true);
});

test('a key is redacted before a message is truncated', () => {
  const text = `${'x'.repeat(150)}${key}`;
  expect(summaryOf(401, text)).not.toContain(key.slice(0, 8));
  expect(summaryOf(401, `No such key: ${key}`)).toBe('401 "No such key: {{keys.valid}}"');
});

test('the summary of a redirect contains the location', () => {
  expect(summaryOf(308, '', { location: 'https://other.example/v1' })).toMatch(
    /^308 to https:\/\/other\.example\/v1, which is not followed/,
  );
});

test('the summary of a failure is the reason', () => {
  const failure = { reason: 'reset', detail: 'The connection was reset' } as const;
  expect(summarizeAnswer(exchangeOf({ kind: 'failure', failure }), redact)).toBe('The connection was reset');
});
