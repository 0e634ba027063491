import { describe, expect, test } from 'vitest';
import { loadFixtures } from '../catalog/fixtures.ts';
import { classifyStream, countParts, hasStreamEnd, readEvents, reportsError } from './events.ts';

describe('events', () => {
  const two = [
    { name: 'a', data: '1' },
    { name: undefined, data: '2\n3' },
  ];
  test.each([
    ['line feeds', 'event: a\ndata: 1\n\ndata: 2\ndata: 3\n\n', two],
    ['carriage returns with line feeds', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\ndata: 3\r\n\r\n', two],
    ['carriage returns', 'event: a\rdata: 1\r\rdata: 2\rdata: 3\r\r', two],
    ['no space after the colon, and no empty line at the end', 'event:a\ndata:1\n\ndata:2\ndata:3', two],
    [
      'comments, IDs and a byte order mark',
      '\uFEFF: ping\n\nid: 7\nevent: a\ndata: 1\n\nretry: 5\n\ndata: 2\ndata: 3',
      two,
    ],
    ['nothing', '', []],
    ['no event', '<html>\n\n</html>', []],
    ['a byte order mark before a field', '\uFEFFdata: a', [{ name: undefined, data: 'a' }]],
    ['a byte order mark in a text', 'data: a\uFEFFb', [{ name: undefined, data: 'a\uFEFFb' }]],
    [
      'a line separator that does not end a line in a stream',
      'data: a\u2028b',
      [{ name: undefined, data: 'a\u2028b' }],
    ],
    ['a field without a value', 'data\n\n', [{ name: undefined, data: '' }]],
    ['a name alone', 'event: ping\n\n', [{ name: 'ping', data: '' }]],
    ['fields whose names only contain `data`, and a comment', 'database: 1\nmetadata: 2\n: data: 3', []],
  ])('are read with %s', (_, text, expected) => {
    expect(readEvents(text)).toEqual(expected);
  });
});

test.each([
  ['event: error\ndata: oh\n\n', true],
  ['data: {"a":1}\n\ndata: {"error":{"message":"oh"}}\n\n', true],
  ['data: {"error":"oh"}\n\n', true],
  ['data: {"type":"error"}\n\n', true],
  ['data: {"type":"response.failed","response":{}}\n\n', true],
  ['data: {"response":{"error":{"code":"x"}}}\n\n', true],
  ['data: {"choices":[{"delta":{},"finish_reason":"error"}]}\n\n', true],
  ['data: {"choices":[{"delta":{},"error":{"message":"oh"}}]}\n\n', true],
  ['event: response.failed\ndata: oh\n\n', true],
  ['data: {"code":"model_not_available","message":"oh"}\n\n', true],
  ['data: {"code":400,"message":"oh"}\n\n', true],
  ['data: {"code":0,"message":"success"}\n\n', false],
  ['data: {"code":"x"}\n\n', false],
  ['data: {"error":false}\n\n', false],
  ['data: {"error":""}\n\n', false],
  ['data: {"code":"","message":"oh"}\n\n', false],
  ['data: {"code":"x","message":{}}\n\n', false],
  ['data: {"choices":[{"finish_reason":"stop"}],"type":"errors_none"}\n\n', false],
  ['data: {"type":"Failure"}\n\n', true],
  ['data: {"\\u0065rror":"oh"}\n\n', true],
  ['{"error":{"code":400}}', true],
  ['[{"error":{"code":400}}]', true],
  ['[{"candidates":[]},{"error":{"code":400}}]', true],
  ['[]', false],
  ['{"type":"start"}\n{"error":{"code":400}}\n', true],
  ['{"type":"start"}\n{"error":null}\n', false],
  ['data: {"error":null}\n\n', false],
  ['data: {"response":{"error":null}}\n\n', false],
  ['data: there was an error\n\n', false],
  ['data: {"choices":[{"delta":{"content":"error"}}]}\n\ndata: [DONE]\n\n', false],
  ['data: null\n\n', false],
  ['', false],
])('%j reports an error: %j', (text, expected) => {
  expect(reportsError(text)).toBe(expected);
});

test.each([
  ['data: 1\n\ndata: 2\n\n', 2],
  [': ping\n\ndata: 1\n\n', 1],
  ['event: ping\n\ndata: 1\n\n', 1],
  ['{"a":1}\r\n\r\n{"a":2}', 2],
  ['[{},{},{}]', 3],
  ['{}', 1],
  ['{"a":1}\n{"a":2}\n', 2],
  ['', 0],
])('counts the parts of %j: %i', (text, expected) => {
  expect(countParts(text)).toBe(expected);
});

const { errorWords } = loadFixtures();
const bare = { error_code: 336003, error_msg: 'the max length is 2000' };
test.each([
  ['of Baidu', `data: ${JSON.stringify(bare)}\n\n`],
  ['of MiniMax', 'data: {"base_resp":{"status_code":2013,"status_msg":"no such model"}}\n\n'],
  ['of Bedrock', '{"validationException":{"message":"The model is not known."}}\n'],
  ['of Tencent', 'data: {"Response":{"ErrorMsg":{"Msg":"no such model","Code":2001}}}\n\n'],
  ['of Cloudflare', '{"success":false,"errors":[{"code":5007,"message":"No such model"}]}'],
  ['of Cohere', '{"is_finished":true,"event_type":"stream-end","finish_reason":"ERROR_TOXIC"}\n'],
  ['of Gemini', 'data: {"promptFeedback":{"blockReason":"OTHER"}}\n\n'],
  ['of FastAPI', '{"detail":"Invalid model"}'],
  ['of the AI SDK', '3:"An error occurred."\n'],
  ['as text', 'data: Error: no such model\n\ndata: [DONE]\n\n'],
  ['as a failure without a word', 'data: {"success":false}\n\n'],
  ['after the start of a stream', 'data: {"choices":[{"delta":{"content":""}}]}\n\ndata: {"error":"oh"}\n\n'],
])('a stream with an error %s is classified as an error', (_, text) => {
  expect(classifyStream({ text }, errorWords)).toBe('error');
});
test.each([
  ['next to an empty error', 'data: {"error":{},"choices":[{"delta":{"content":"1, 2"}}]}\n\n'],
  [
    'before an error',
    'data: {"choices":[{"delta":{"content":"1"}}]}\n\ndata: {"error":{"message":"oh"}}\n\n',
  ],
  ['in the second choice', 'data: {"choices":[{},{"delta":{"content":"1"}}]}\n\n'],
  ['of family B', 'data: {"type":"content_block_delta","delta":{"text":"1"}}\n\n'],
  ['of family C', '[{"candidates":[{"content":{"parts":[{"text":"1"}]}}]}]'],
  ['of responses', 'data: {"type":"response.output_text.delta","delta":"1"}\n\n'],
  ['in a plain response', '{"output":[{"content":[{"type":"output_text","text":"1"}]}]}'],
])('a stream with output %s has output', (_, text) => {
  expect(classifyStream({ text }, errorWords)).toBe('output');
});
test.each([
  ['is empty', ''],
  ['has only an end', 'data: [DONE]\n\n'],
  ['has only a start', 'data: {"type":"message_start","message":{"id":"1","content":[]}}\n\n'],
  [
    'begins an empty block of output',
    'event: content_block_start\ndata: {"type":"content_block_start","content_block":{"type":"text","text":""}}\n\n',
  ],
  ['has empty errors', 'data: {"error":{},"errors":[],"status_code":0,"code":200}\n\n'],
])('a stream that %s has neither output nor an error', (_, text) => {
  expect(classifyStream({ text }, errorWords)).toBe('neither');
});

test.each([
  ['data: {"choices":[{"delta":{"content":"1"},"finish_reason":null}]}\n\n', false],
  ['event: message_start\ndata: {"type":"message_start"}\n\n', false],
  ['data: {"candidates":[{"content":{"parts":[{"text":"data: [DONE]"}]}}]}\n\n', false],
  ['data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n', true],
  ['data: [DONE]\n\n', true],
  ['event: message_stop\ndata: {"type":"message_stop"}\n\n', true],
  ['data: {"type":"response.completed"}\n\n', true],
  ['[{"candidates":[{"finishReason":"STOP"}]}]', true],
])('the stream %j has its end: %j', (text, expected) => {
  expect(hasStreamEnd(text)).toBe(expected);
});

test('a long stream without an error reports none', () => {
  const long = `[7,${'0,'.repeat(300_000)}0]`;
  expect(reportsError(`data: {"code":0,"list":${long}}\n\n`)).toBe(false);
});
