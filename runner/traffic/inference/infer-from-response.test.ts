import { expect, test } from 'vitest';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { readContent } from '../../exchange/decode.ts';
import { summarizeResponse } from './infer-from-response.ts';

const { errors } = await catalogOfPackage();
const chat = { operation: 'chat', surface: 'model' };

test.each([
  [200, 'data: {"error":{"message":"oh"}}\n\n', true],
  [200, 'data: {"code":"model_not_available","message":"oh"}\n\n', true],
  [200, 'event: Failure\ndata: {}\n\n', true],
  [200, 'data: {"choices":[]}\n\n', false],
  [400, 'data: {"error":{"message":"oh"}}\n\n', false],
])('a response %d with the body %j is an error in a 2xx response: %j', (status, text, expected) => {
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  const exchange = { attributes: chat, result: { kind: 'answer', answer } } as const;
  expect(summarizeResponse(exchange, errors).isErrorIn2xx).toBe(expected);
});
