import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bufferBody, createAnswer } from './receive.ts';

test.each([
  ['an empty body', [], 4, '', true],
  ['a body within the limit', ['ab', 'cd'], 4, 'abcd', true],
  ['the beginning of a longer body', ['ab', 'cde', 'f'], 4, 'abcd', false],
  ['nothing with a limit of 0', ['ab'], 0, '', false],
  ['thousands of chunks in order', [...'0123456789'.repeat(500)], 5_000, '0123456789'.repeat(500), true],
  [
    'the beginning of thousands of chunks',
    [...'0123456789'.repeat(500)],
    4_321,
    '0123456789'.repeat(433).slice(0, 4_321),
    false,
  ],
])('keeps %s', (_, given, limit, kept, whole) => {
  const body = bufferBody(limit);
  for (const piece of given) body.add(Buffer.from(piece));
  expect(body.kept().toString()).toBe(kept);
  expect(body.isWhole()).toBe(whole);
  expect(body.seen()).toEqual({ pieces: given.length, bytes: given.join('').length });
});

test.each([
  ['Latin-1', '{"a":"\xe4"}', 'latin1', 20, { kind: 'text', reason: 'the body is not valid UTF-8' }],
  ['UTF-8', '{"a":"\xe4"}', 'utf8', 20, { kind: 'json', value: { a: 'ä' } }],
  ['UTF-8 up to the middle of a character', '{"a":"\xe4"}', 'utf8', 7, { kind: 'unreadable' }],
] as const)('reads the body of an error in %s', (_, text, encoding, limit, content) => {
  const body = bufferBody(limit);
  body.add(Buffer.from(text, encoding));
  expect(createAnswer(400, {}, body, limit)).toMatchObject({ content });
});

const uncompressed = Buffer.from('{"a":1}');
const truncated = gzipSync(uncompressed).subarray(0, 15);
const asText = { text: '{"a":1}', size: 7, content: { kind: 'text' } };
const unreadable = { content: { kind: 'unreadable' } };
test.each([
  ['an uncompressed JSON error', 'gzip', 400, uncompressed, asText],
  ['an uncompressed JSON error', 'deflate', 400, uncompressed, asText],
  ['an uncompressed JSON error', 'br', 400, uncompressed, asText],
  ['an uncompressed JSON success', 'gzip', 200, uncompressed, unreadable],
  ['an error that is neither compressed nor JSON', 'gzip', 400, Buffer.from('no gzip'), unreadable],
  ['a truncated error', 'gzip', 400, truncated, unreadable],
  ['a JSON error', 'zstd', 400, uncompressed, unreadable],
])('reads the body of %s with `content-encoding: %s`', (_, coding, status, bytes, expected) => {
  const body = bufferBody(100);
  body.add(bytes);
  expect(createAnswer(status, { 'content-encoding': coding }, body, 100)).toMatchObject(expected);
});
