import { expect, test } from 'vitest';
import { readContent } from '../../exchange/decode.ts';
import { summarizeResponse } from './infer-from-response.ts';

test.each([
  [200, 'data: {"error":{"message":"oh"}}\n\n', true],
  [200, 'data: {"code":"model_not_available","message":"oh"}\n\n', true],
  [200, 'event: Failure\ndata: {}\n\n', true],
  [200, 'data: {"choices":[]}\n\n', false],
  [400, 'data: {"error":{"message":"oh"}}\n\n', false],
])('a response %d with the body %j is an error in a 2xx response: %j', (status, text, expected) => {
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  expect(summarizeResponse(answer).isErrorIn2xx).toBe(expected);
});
