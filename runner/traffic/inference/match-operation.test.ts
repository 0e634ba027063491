import { expect, test } from 'vitest';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { readContent } from '../../exchange/decode.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { findOfferedOperations } from './match-operation.ts';

const catalog = await catalogOfPackage();

function exchange(operation: string, status: number): Exchange {
  const text = '{"error":{"message":"`model` is missing"}}';
  return {
    id: 'x#1',
    attributes: { operation },
    model: undefined,
    request: { method: 'POST', path: '/', headers: {}, body: undefined },
    result: {
      kind: 'answer',
      answer: { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 },
    },
    startedAt: 0,
    durationMs: 0,
    earlier: [],
    controlAfter: undefined,
  };
}

test.each([
  ['chat', 400, ['chat']],
  ['generate', 400, ['generate', 'streamGenerate']],
  ['streamGenerate', 400, ['generate', 'streamGenerate']],
  ['generate', 404, []],
  ['none', 400, []],
])('a response of %s with status %d proves these operations: %j', (operation, status, offered) => {
  expect(findOfferedOperations(exchange(operation, status), catalog)).toEqual(offered);
});
