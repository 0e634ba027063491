import { describe, expect, test } from 'vitest';
import { formatProgressLine, formatProgressLog, type ProgressState } from './progress.ts';

const half: ProgressState = { done: 400, planned: 800, unit: 'requests', violations: 12, elapsed: 10_000 };

const bar = (filled: number, empty: number): string => '█'.repeat(filled) + '░'.repeat(empty);

describe('the progress line', () => {
  test.each([
    ['all parts if they fit', half, 100, `${bar(15, 15)}  400/800  12 ✗  0:10 left  0:10 so far`],
    [
      'its target',
      { ...half, target: 'staging' },
      100,
      `${bar(15, 15)}  staging 400/800  12 ✗  0:10 left  0:10 so far`,
    ],
    [
      'megabytes',
      { ...half, unit: 'MB', violations: undefined },
      100,
      `${bar(15, 15)}  400/800 MB  0:10 left  0:10 so far`,
    ],
    ['no bar if the end is unknown', { ...half, planned: undefined }, 100, '400  12 ✗  0:10 so far'],
    ['a shorter bar', half, 60, `${bar(10, 10)}  400/800  12 ✗  0:10 left  0:10 so far`],
    ['no elapsed time', half, 40, `${bar(7, 6)}  400/800  12 ✗  0:10 left`],
    ['no remaining time', half, 30, `${bar(7, 7)}  400/800  12 ✗`],
    ['no bar', half, 12, '400/800'],
    ['nothing if nothing fits', half, 5, ''],
  ] as const)('has %s', (_, advance, columns, line) => {
    expect(formatProgressLine(advance, columns)).toBe(line);
  });

  test('is shorter than the width of the terminal, so that the line does not wrap', () => {
    for (let columns = 1; columns <= 200; columns++) {
      for (const done of [0, 1, 400, 800, 123_456]) {
        expect(formatProgressLine({ ...half, done }, columns).length).toBeLessThan(columns);
      }
    }
  });

  test('has no remaining time at the beginning and at the end', () => {
    expect(formatProgressLine({ ...half, done: 3 }, 100)).not.toContain('left');
    expect(formatProgressLine({ ...half, elapsed: 500 }, 100)).not.toContain('left');
    expect(formatProgressLine({ ...half, done: 800 }, 100)).not.toContain('left');
  });

  test('raises an exceeded planned amount', () => {
    expect(formatProgressLine({ ...half, done: 820 }, 100)).toContain('820/820');
  });

  test('shows no violations if there are none', () => {
    expect(formatProgressLine({ ...half, violations: 0 }, 100)).not.toContain('✗');
  });
});

test.each([
  [half, '400 of 800 requests, 12 violations, 0:10 left, 0:10 so far'],
  [{ ...half, violations: 1, elapsed: 65_000 }, '400 of 800 requests, 1 violation, 1:05 left, 1:05 so far'],
  [
    { ...half, done: 2, violations: 0, target: 'staging' },
    'staging: 2 of 800 requests, 0 violations, 0:10 so far',
  ],
  [{ ...half, done: 2, violations: 0 }, '2 of 800 requests, 0 violations, 0:10 so far'],
  [{ ...half, unit: 'MB', violations: undefined }, '400 of 800 MB, 0:10 left, 0:10 so far'],
  [{ ...half, unit: 'MB', planned: undefined, violations: undefined }, '400 MB, 0:10 so far'],
] as const)('a line of a log states the progress in words', (advance, text) => {
  expect(formatProgressLog(advance)).toBe(text);
});
