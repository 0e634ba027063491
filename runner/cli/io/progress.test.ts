import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineEvent } from '../../run/run-event.ts';
import { makeProgress, makeReadingProgress } from './progress.ts';

const exchange = (sent: number): EngineEvent => ({
  kind: 'exchange',
  describe: () => {
    throw new Error('The progress does not show exchanges.');
  },
  sent,
  planned: 100,
});
const broken = (id: string): EngineEvent => ({ kind: 'case', id, outcome: 'violates' });

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

describe('the progress of a reading', () => {
  test.each([
    ['of so much', 80_000_000, '12/80 MB', /^12 of 80 MB, .* so far\n$/],
    ['of nobody knows how much', undefined, '12 MB', /^12 MB, .* so far\n$/],
  ])('%s is told in megabytes', (_, bytes, live, logged) => {
    const [terminal, log] = [makeStream(), makeStream()];
    const size = { bytes, read: () => 12_300_000 };
    const both = [
      makeReadingProgress(terminal, { live: true, colour: false }, size),
      makeReadingProgress(log, { live: false, colour: false }, size),
    ];
    vi.advanceTimersByTime(10_000);
    expect(terminal.written.at(-1)).toContain(live);
    expect(terminal.written.at(-1)?.includes('█')).toBe(bytes !== undefined);
    expect(log.written).toEqual([expect.stringMatching(logged)]);
    for (const { clear } of both) clear();
    expect(terminal.written.at(-1)).toBe('\r\u001b[K');
  });

  test('of less than a megabyte shows nothing', () => {
    const stream = makeStream();
    const progress = makeReadingProgress(
      stream,
      { live: true, colour: false },
      { bytes: 900_000, read: () => 900_000 },
    );
    vi.advanceTimersByTime(1000);
    progress.clear();
    expect(stream.written).toEqual([]);
  });
});
