import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunEvent } from '../run-event.ts';
import { makeProgress } from './progress.ts';

const exchange = (sent: number): RunEvent => ({
  kind: 'exchange',
  exchange: {
    facts: {},
    id: 'a#1',
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
    request: { method: 'GET', url: 'http://127.0.0.1/', headers: {}, body: null },
    response: null,
    failure: null,
    earlier: [],
    traceId: null,
    curl: '',
  },
  sent,
  planned: 100,
});
const broken = (id: string): RunEvent => ({ kind: 'case', id, outcome: 'violates' });

function makeStream(columns = 80) {
  const written: string[] = [];
  return {
    written,
    columns,
    write: (text: unknown): boolean => {
      written.push(String(text));
      return true;
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('on a terminal, one line is written again and again, and taken away at the end', () => {
  const stream = makeStream();
  const progress = makeProgress(stream, { live: true, colour: false });
  progress.show(exchange(10));
  vi.advanceTimersByTime(100);
  progress.show(exchange(20));
  vi.advanceTimersByTime(100);
  expect(stream.written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true);
  expect(stream.written.at(-1)).toContain('20/100');
  progress.clear();
  expect(stream.written.at(-1)).toBe('\r\u001b[K');
  const { length } = stream.written;
  progress.show(exchange(30));
  vi.advanceTimersByTime(1000);
  progress.clear();
  expect(stream.written).toHaveLength(length);
});

test('the width is that of the moment, since terminals are resized', () => {
  const stream = makeStream();
  const progress = makeProgress(stream, { live: true, colour: false });
  progress.show(exchange(10));
  stream.columns = 20;
  vi.advanceTimersByTime(100);
  expect(stream.written.at(-1)?.replace('\r\u001b[K', '').length).toBeLessThan(20);
  progress.clear();
});

test('a case that is broken in every round counts once', () => {
  const stream = makeStream();
  const progress = makeProgress(stream, { live: true, colour: false });
  for (const event of [exchange(10), broken('a'), broken('a'), broken('b')]) progress.show(event);
  vi.advanceTimersByTime(100);
  expect(stream.written.at(-1)).toContain('2 ✗');
  progress.clear();
});

test('elsewhere there is a line in ten seconds, and nothing to take away', () => {
  const stream = makeStream();
  const progress = makeProgress(stream, { live: false, colour: true });
  progress.show(exchange(10));
  vi.advanceTimersByTime(9_900);
  expect(stream.written).toEqual([]);
  vi.advanceTimersByTime(10_200);
  expect(stream.written).toHaveLength(2);
  expect(stream.written[0]).toMatch(/^10 of 100 requests, 0 violations, .*\n$/);
  progress.clear();
  expect(stream.written).toHaveLength(2);
});

test('nothing is shown before something was sent', () => {
  const stream = makeStream();
  const progress = makeProgress(stream, { live: true, colour: false });
  vi.advanceTimersByTime(500);
  progress.clear();
  expect(stream.written).toEqual([]);
});
