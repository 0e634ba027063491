import { expect, test } from 'vitest';
import { isErrorBody } from './failures.ts';

test.each<[boolean, string]>([
  [true, '{"error":{"type":"a","message":"b"},"trace_id":"c"}'],
  [true, ' {"error":{"message":"b"},"type":"error"}'],
  [false, '{"error":{"message":"b"},"choices":[{}]}'],
  [false, '{"error":null,"id":"a"}'],
  [false, '{"error":{}}'],
  [false, '{"error":"text"}'],
  [false, '[{"error":{"type":"a"}}]'],
  [true, 'data: {"error":{"type":"a"}}'],
  [true, 'event: error\r\ndata: {"type":"error","error":{"type":"a"}}\r\n\r\n'],
  [true, 'data: {"error":{"message":"a"}}\n\ndata: [DONE]\n\n'],
  [false, 'data: {"choices":[{}]}\n\ndata: {"error":{"message":"a"}}\n\n'],
  [false, 'data: [DONE]\n\n'],
  [false, '{"error":'],
  [false, ''],
])('is an error body (%s): %s', (isError, text) => {
  expect(isErrorBody(text)).toBe(isError);
});

test('a response without a body is not an error body', () => {
  expect(isErrorBody(undefined)).toBe(false);
});
