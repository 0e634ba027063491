import { expect, test } from 'vitest';
import { readContent } from '../transport/decode.ts';
import { saidBy } from './infer-from-response.ts';

test.each([
  [200, 'data: {"error":{"message":"oh"}}\n\n', true],
  [200, 'data: {"code":"model_not_available","message":"oh"}\n\n', true],
  [200, 'event: Failure\ndata: {}\n\n', true],
  [200, 'data: {"choices":[]}\n\n', false],
  [400, 'data: {"error":{"message":"oh"}}\n\n', false],
])('an answer %d of %j is a success that tells of an error: %j', (status, text, expected) => {
  const answer = { status, headers: {}, text, size: text.length, content: readContent(text), pieces: 1 };
  expect(saidBy(answer).tellsOfError).toBe(expected);
});
