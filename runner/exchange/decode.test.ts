import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeBody, hasOnlyError, readContent, readResponse } from './decode.ts';

const plain = Buffer.from('{"a":"ä"}');
describe('a body', () => {
  test.each<[string, Buffer, string]>([
    ['', plain, 'no coding'],
    ['identity', plain, 'identity'],
    ['gzip', gzipSync(plain), 'gzip'],
    ['X-GZIP', gzipSync(plain), 'gzip by its old name'],
    ['deflate', deflateSync(plain), 'deflate'],
    ['deflate', deflateRawSync(plain), 'raw deflate'],
    ['br', brotliCompressSync(plain), 'br'],
    ['gzip, br', brotliCompressSync(gzipSync(plain)), 'two codings, the last undone first'],
  ])('with the coding %j is decoded', (coding, bytes) => {
    expect(decodeBody(bytes, coding, 1000)).toEqual({ kind: 'bytes', bytes: plain });
  });
  test.each<[string, Buffer, RegExp]>([
    ['zstd', plain, /^its content coding "zstd" is not supported$/],
    ['br', brotliCompressSync(plain).subarray(0, 5), /^the body cannot be decoded as br: /],
    ['gzip', gzipSync(plain).subarray(0, 12), /^the body cannot be decoded as gzip: /],
    ['gzip', gzipSync(Buffer.alloc(5000)), /^the body cannot be decoded as gzip: /],
  ])('with the coding %j that cannot be decoded is unreadable', (coding, bytes, reason) => {
    expect(decodeBody(bytes, coding, 1000)).toEqual({
      kind: 'unreadable',
      reason: expect.stringMatching(reason),
      hasDecoderFailed: coding !== 'zstd',
    });
  });
  test('with five codings is decoded, and with more codings is unreadable', () => {
    const coded = (count: number): Buffer => {
      let bytes: Buffer = plain;
      for (let done = 0; done < count; done += 1) bytes = gzipSync(bytes);
      return bytes;
    };
    const named = (count: number): string => Array.from({ length: count }, () => 'gzip').join(', ');
    expect(decodeBody(coded(5), named(5), 1000)).toEqual({ kind: 'bytes', bytes: plain });
    for (const [bytes, count] of [
      [coded(6), 6],
      [coded(6), 10_000],
      [Buffer.alloc(0), 6],
    ] as const)
      expect(decodeBody(bytes, named(count), 1000)).toEqual({
        kind: 'unreadable',
        reason: `the body has ${count} content codings, but at most 5 are decoded`,
        hasDecoderFailed: false,
      });
  });
  test('that is empty needs no decoding', () => {
    expect(decodeBody(Buffer.alloc(0), 'gzip', 10)).toMatchObject({ kind: 'bytes' });
  });
});

test.each<[string, unknown]>([
  ['{"a":1}', { kind: 'json', value: { a: 1 } }],
  [' null ', { kind: 'json', value: null }],
  ['', { kind: 'text' }],
  ['<html>', { kind: 'text' }],
  ['{"a":1}{"a":2}', { kind: 'text' }],
])('%j is read as %j', (text, expected) => {
  expect(readContent(text)).toEqual(expected);
});

const latin1 = Buffer.from('{"a":"ä"}', 'latin1');
const notUtf8 = { kind: 'text', reason: 'the body is not valid UTF-8' };
test.each<[number, string, Buffer, unknown]>([
  [400, 'UTF-8', plain, { kind: 'json', value: { a: 'ä' } }],
  [400, 'UTF-8 with a replacement character', Buffer.from('"\ufffd"'), { kind: 'json', value: '\ufffd' }],
  [400, 'Latin-1', latin1, notUtf8],
  [500, 'Latin-1', latin1, notUtf8],
  [200, 'Latin-1', latin1, { kind: 'json', value: { a: '\ufffd' } }],
  [400, 'Latin-1 that is a page', Buffer.from('<p>ä', 'latin1'), { kind: 'text' }],
])('reads the body of a %d response in %s', (status, _, bytes, expected) => {
  expect(readResponse(status, bytes)).toEqual({ text: bytes.toString(), content: expected });
});

const error = { message: 'Busy.', type: 'upstream_error' };
const events = (...data: readonly unknown[]): string =>
  [...data.map((item) => `data: ${JSON.stringify(item)}\n\n`), 'data: [DONE]\n\n'].join('');

test.each<[string, boolean, string]>([
  ['an error', true, JSON.stringify({ error })],
  ['an error of Anthropic', true, JSON.stringify({ type: 'error', error })],
  [
    'an error with an empty list of choices',
    true,
    JSON.stringify({ choices: [], error, usage: { total: 0 } }),
  ],
  [
    'a failed response',
    true,
    JSON.stringify({ status: 'failed', output: [], error: { code: 'x', message: 'y' } }),
  ],
  ['an error in a stream', true, events({ error })],
  [
    'an error after a part without text',
    true,
    events({ choices: [{ delta: { role: 'assistant', content: '' } }] }, { error }),
  ],
  ['an error as a line', true, `${JSON.stringify({ error })}\n`],
  ['an error after output', false, events({ choices: [{ delta: { content: 'One' } }] }, { error })],
  ['an error after a part of an unknown protocol', false, events({ result: 'One' }, { error })],
  ['an empty error', false, JSON.stringify({ error: {} })],
  ['an error that is null', false, JSON.stringify({ error: null, output: [] })],
  ['an error next to output', false, JSON.stringify({ error, choices: [{ message: { content: 'One' } }] })],
  ...[
    { choices: [{ index: 0, message: { role: 'assistant', content: null }, finish_reason: 'error' }] },
    { choices: [{ index: 0, message: { content: '', tool_calls: [], refusal: null }, logprobs: null }] },
    { choices: [{ message: { content: '' }, finish_reason: 'error', error: { code: 502, message: 'x' } }] },
    { type: 'message', role: 'assistant', content: [{ type: 'text', text: '' }], stop_reason: null },
    {
      output: [{ type: 'message', id: 'm', status: 'failed', content: [{ type: 'output_text', text: '' }] }],
    },
    { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'OTHER', index: 0 }] },
  ].map((body): [string, boolean, string] => [
    'an error next to empty output',
    true,
    JSON.stringify({ ...body, error }),
  ]),
  ...[
    { choices: [{ message: { content: null, tool_calls: [{ function: { name: 'f', arguments: '' } }] } }] },
    { choices: [{ message: { content: '', refusal: 'No.' } }] },
    { choices: [{ message: { content: '', reasoning_content: 'Hm.' } }] },
    { choices: [{ message: { content: null, audio: { id: 'a', data: 'AAAA' } } }] },
    { choices: [{ message: { content: '', images: [{ image_url: { url: 'data:,' } }] } }] },
    { choices: [{ message: { content: '' } }, { message: { content: 'One' } }] },
    { content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { output: [{ type: 'image_generation_call', result: 'AAAA' }] },
    { candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] } }] },
  ].map((body): [string, boolean, string] => [
    `an error next to ${JSON.stringify(body)}`,
    false,
    JSON.stringify({ ...body, error }),
  ]),
  [
    'an error in the same chunk as an empty choice',
    true,
    events({ choices: [{ delta: { role: 'assistant', content: '' }, finish_reason: 'error' }], error }),
  ],
  [
    'an error and an empty choice after output',
    false,
    events({ choices: [{ delta: { content: 'One' } }] }, { choices: [{ delta: { content: '' } }], error }),
  ],
  ['an empty choice', false, JSON.stringify({ choices: [{ message: { content: '' } }], error: null })],
  [
    'deeply nested output',
    true,
    `{"error":{"message":"x"},"choices":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
  ],
  [
    'deeply nested output of a response',
    true,
    `{"error":{"message":"x"},"response":{"output":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
  ],
  ['an error next to an unknown object', false, JSON.stringify({ error, data: { reply: 'One' } })],
  ['a text about an "error"', false, 'This is no "error".'],
  ['an error in JSON that is cut off', false, '{"error": {"message": "x"'],
])('hasOnlyError for %s returns %j', (_, expected, text) => {
  expect(hasOnlyError(text)).toBe(expected);
});
