import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EngineEvent } from '../../run/run-event.ts';
import type { Wait } from '../../send/rate-limiter.ts';
import { createProgress, createReadingProgress } from './progress.ts';

const exchange = (sent: number): EngineEvent => ({
  kind: 'exchange',
  describe: () => {
    throw new Error('The progress does not show exchanges.');
  },
  sent,
  planned: 100,
});
const violated = (id: string): EngineEvent => ({ kind: 'case', id, judge: () => 'violates' });

function createStream(columns = 80) {
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

test('on a terminal, overwrites one line, and removes the line at the end', () => {
  const stream = createStream();
  const progress = createProgress(stream, { live: true, colour: false });
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

test('follows the width of a resized terminal', () => {
  const stream = createStream();
  const progress = createProgress(stream, { live: true, colour: false });
  progress.show(exchange(10));
  stream.columns = 20;
  vi.advanceTimersByTime(100);
  expect(stream.written.at(-1)?.replace('\r\u001b[K', '').length).toBeLessThan(20);
  progress.clear();
});

test('counts a case with violations in several rounds once', () => {
  const stream = createStream();
  const progress = createProgress(stream, { live: true, colour: false });
  for (const event of [exchange(10), violated('a'), violated('a'), violated('b')]) progress.show(event);
  vi.advanceTimersByTime(100);
  expect(stream.written.at(-1)).toContain('2 ✗');
  progress.clear();
});

test('in a log, writes a line every ten seconds', () => {
  const stream = createStream();
  const progress = createProgress(stream, { live: false, colour: true });
  progress.show(exchange(10));
  vi.advanceTimersByTime(9_900);
  expect(stream.written).toEqual([]);
  vi.advanceTimersByTime(10_200);
  expect(stream.written).toHaveLength(2);
  expect(stream.written[0]).toMatch(/^10 of 100 requests, 0 violations, .*\n$/);
  progress.clear();
  expect(stream.written).toHaveLength(2);
});

test('shows nothing before the first request is sent', () => {
  const stream = createStream();
  const progress = createProgress(stream, { live: true, colour: false });
  vi.advanceTimersByTime(500);
  progress.clear();
  expect(stream.written).toEqual([]);
});

describe('a wait', () => {
  const wait = (wait: Wait): EngineEvent => ({ kind: 'wait', wait });
  const limited = wait({ cause: 'limited', status: 429, isStated: true, milliseconds: 9_500 });
  const failed = wait({ cause: 'failed', status: 503, milliseconds: 400 });
  const paced = wait({ cause: 'rate', perSecond: 5, milliseconds: 200 });
  const shownAfter = (milliseconds: number, ...events: EngineEvent[]): string | undefined => {
    const stream = createStream();
    const progress = createProgress(stream, { live: true, colour: false });
    for (const event of events) progress.show(event);
    vi.advanceTimersByTime(milliseconds);
    progress.clear();
    return stream.written.at(-2)?.replace('\r\u001b[K', '');
  };

  test.each([
    ['a 429 with Retry-After', limited, '429 with Retry-After: waiting 0:10'],
    [
      'a 429 without Retry-After',
      wait({ cause: 'limited', status: 429, isStated: false, milliseconds: 200 }),
      '429: waiting 0:01',
    ],
    ['a 5xx', failed, '503: retrying in 0:01'],
    [
      'a gateway that restarts',
      wait({ cause: 'unreachable', milliseconds: 10_000 }),
      'the gateway does not respond: waiting at most 0:10',
    ],
    [
      'a lost connection',
      wait({ cause: 'failed', status: undefined, milliseconds: 200 }),
      'no response: retrying in 0:01',
    ],
    ['a rate per second', paced, '--rate 5/s'],
    ['a rate per minute', wait({ cause: 'rate', perSecond: 100 / 60, milliseconds: 600 }), '--rate 100/m'],
  ])('for %s is shown with its reason, even before the first response', (_, event, text) => {
    expect(shownAfter(100, event)).toBe(`0  ${text}  0:01 so far`);
  });

  test('for a gateway that restarts is removed as soon as the gateway responds', () => {
    const begin = wait({ cause: 'unreachable', milliseconds: 10_000 });
    const end = wait({ cause: 'unreachable', milliseconds: 0 });
    expect(shownAfter(100, exchange(10), begin, end)).not.toContain('does not respond');
  });

  test('is counted down next to the bar, within 80 columns, and removed at the end', () => {
    const events = [exchange(10), violated('a'), limited];
    expect(shownAfter(3_000, ...events)).toContain('10/100  1 ✗  429 with Retry-After: waiting 0:07');
    expect(shownAfter(3_000, ...events)?.length).toBeLessThan(80);
    expect(shownAfter(9_600, ...events)).not.toContain('429');
  });

  test('of less than a second is shown for a second', () => {
    expect(shownAfter(900, exchange(10), failed)).toContain('503: retrying in 0:00');
    expect(shownAfter(1_100, exchange(10), failed)).not.toContain('503');
  });

  test('for a 429 takes precedence over a 5xx, and a 5xx over --rate', () => {
    expect(shownAfter(100, paced, limited, failed)).toContain('429');
    expect(shownAfter(100, paced, failed)).toContain('503');
  });

  test('that is over is not shown in a log', () => {
    const stream = createStream();
    const progress = createProgress(stream, { live: false, colour: false });
    progress.show(limited);
    vi.advanceTimersByTime(10_000);
    expect(stream.written).toEqual([]);
    for (const event of [exchange(10), limited]) progress.show(event);
    vi.advanceTimersByTime(10_000);
    expect(stream.written).toEqual([expect.not.stringContaining('429')]);
    progress.clear();
  });
});

describe('the progress of reading files', () => {
  test.each([
    ['of known size', 80_000_000, '12/80 MB', /^12 of 80 MB, .* so far\n$/],
    ['of unknown size', undefined, '12 MB', /^12 MB, .* so far\n$/],
  ])('%s is shown in megabytes', (_, bytes, live, logged) => {
    const [terminal, log] = [createStream(), createStream()];
    const size = { bytes, read: () => 12_300_000 };
    const both = [
      createReadingProgress(terminal, { live: true, colour: false }, size),
      createReadingProgress(log, { live: false, colour: false }, size),
    ];
    vi.advanceTimersByTime(10_000);
    expect(terminal.written.at(-1)).toContain(live);
    expect(terminal.written.at(-1)?.includes('█')).toBe(bytes !== undefined);
    expect(log.written).toEqual([expect.stringMatching(logged)]);
    for (const { clear } of both) clear();
    expect(terminal.written.at(-1)).toBe('\r\u001b[K');
  });

  test('shows nothing for less than a megabyte', () => {
    const stream = createStream();
    const progress = createReadingProgress(
      stream,
      { live: true, colour: false },
      { bytes: 900_000, read: () => 900_000 },
    );
    vi.advanceTimersByTime(1000);
    progress.clear();
    expect(stream.written).toEqual([]);
  });
});
