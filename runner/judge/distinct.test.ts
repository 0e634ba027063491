import { expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { createDistinctJudge } from './distinct.ts';

function exchange(trace: string, startedAt: number): Exchange {
  const headers = { 'x-trace-id': trace };
  return {
    id: `x#${startedAt}`,
    attributes: {},
    model: undefined,
    request: { method: 'GET', path: '/', headers: {}, body: undefined },
    result: {
      kind: 'answer',
      answer: { status: 200, headers, text: '', size: 0, content: { kind: 'text' }, pieces: 1 },
    },
    startedAt,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
}

test('warns about a repeated value among the last 10,000 values, and forgets older values', () => {
  const judge = createDistinctJudge('header x-trace-id');
  const outcomes = Array.from({ length: 10_001 }, (_, index) => judge(exchange(`t-${index}`, index)).outcome);
  expect(outcomes.slice(0, 3)).toEqual(['not-applicable', 'conforms', 'conforms']);
  expect(new Set(outcomes.slice(1))).toEqual(new Set(['conforms']));
  // `t-10000` replaced `t-0`. When `t-0` is repeated, `t-0` replaces `t-1`.
  expect(judge(exchange('t-0', 20_000)).outcome).toBe('conforms');
  expect(judge(exchange('t-1', 20_001)).outcome).toBe('conforms');
  expect(judge(exchange('T-3', 20_002)).outcome).toBe('warns');
});
