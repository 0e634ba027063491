import { describe, expect, test } from 'vitest';
import { captureEvents, copyResponse } from './capture.ts';

const event = (size: number): string => `data: ${'x'.repeat(size - 8)}\n\n`;
const error = 'event: error\ndata: {"error":{"type":"late"}}\n\n';

function read(text: string, pieceBytes: number): ReturnType<typeof captureEvents> {
  const kept = captureEvents();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) kept.add(bytes.subarray(at, at + pieceBytes));
  return kept;
}

test('the copy of an error in Latin-1 is not JSON', () => {
  const copy = copyResponse(400, [], 100);
  copy.add(Buffer.from('{"error":"\xe4"}', 'latin1'));
  const reason = 'the body is not valid UTF-8';
  expect(copy.finish('whole')).toMatchObject({ content: { kind: 'text', reason } });
});

describe.each([1, 7, 1_000_000])('a stream in pieces of %i bytes', (pieceBytes) => {
  test.each([
    { about: 'nothing', text: '' },
    { about: 'events', text: 'data: 1\n\ndata: 2\n\n' },
    { about: 'an event without an end', text: 'data: 1\n\ndata: {"error":1}' },
    { about: 'characters of several bytes', text: 'data: 日本 é\n\n' },
    { about: 'other line ends', text: 'data: 1\r\n\r\ndata: 2\r\rdata: 3\r\n\r\n' },
    { about: 'JSON', text: '{"error":{"type":"x"}}' },
  ])('that is short is stored completely: $about', ({ text }) => {
    const kept = read(text, pieceBytes);
    expect(kept.text()).toBe(text);
    expect(kept.isWhole()).toBe(true);
    expect(kept.hasSkipped()).toBe(false);
  });

  test.each([
    { about: 'ordinary events', later: event(100).repeat(3), kept: '' },
    { about: 'an error', later: event(100) + error + event(100), kept: error },
    { about: 'an error without an end', later: `${event(100)}${error.trimEnd()}`, kept: error.trimEnd() },
    { about: 'too many errors', later: error.repeat(20), kept: error.repeat(16) },
    { about: 'an error after events that still fit', later: 'data: 1\n\n'.repeat(9) + error, kept: error },
  ])(
    'that is long is stored up to 64 KiB, and after that only its errors: $about',
    ({ later, kept: expected }) => {
      const first = event(1024).repeat(64);
      const kept = read(first + later, pieceBytes);
      expect(kept.text()).toBe(first + expected);
      expect(kept.isWhole()).toBe(false);
      expect(kept.hasSkipped()).toBe(false);
    },
  );
});

describe.each([1000, 10_000_000])('a long event in pieces of %i bytes', (pieceBytes) => {
  test('is not stored, is reported as skipped unless the event arrives in one piece, and the next events are checked', () => {
    const kept = read(`data: 1\n\n${event(200_000)}data: 2\n\n${error}`, pieceBytes);
    // An event that arrives in one piece is checked, regardless of its length.
    expect(kept.text()).toBe(`data: 1\n\n${error}`);
    expect(kept.isWhole()).toBe(false);
    expect(kept.hasSkipped()).toBe(pieceBytes === 1000);
  });

  test('is stored up to 64 KiB as the first event', () => {
    const kept = read('x'.repeat(200_000), pieceBytes);
    expect(kept.text()).toBe('x'.repeat(65_536));
    expect(kept.hasSkipped()).toBe(true);
  });
});
