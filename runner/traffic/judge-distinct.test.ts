import { expect, test } from 'vitest';
import type { Exchange } from '../transport/exchange.ts';
import { makeDistinct } from './judge-distinct.ts';

function exchange(trace: string, startedAt: number): Exchange {
  const headers = { 'x-trace-id': trace };
  return {
    id: `x#${startedAt}`,
    facts: {},
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

test('a value that comes again is found among the last 10,000, and no further back', () => {
  const look = makeDistinct('header x-trace-id');
  const outcomes = Array.from({ length: 10_001 }, (_, index) => look(exchange(`t-${index}`, index)).outcome);
  expect(outcomes.slice(0, 3)).toEqual(['not-applicable', 'conforms', 'conforms']);
  expect(new Set(outcomes.slice(1))).toEqual(new Set(['conforms']));
  // The first has made room for the last, and takes the place of the second now.
  expect(look(exchange('t-0', 20_000)).outcome).toBe('conforms');
  expect(look(exchange('t-1', 20_001)).outcome).toBe('conforms');
  expect(look(exchange('T-3', 20_002)).outcome).toBe('warns');
});
