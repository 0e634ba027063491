import { describe, expect, test } from 'vitest';
import { UsageError } from '../profile/profile.ts';
import { completeOptions, type RunOptions } from './options.ts';

describe('run options', () => {
  test('have defaults', () => {
    expect(completeOptions({})).toMatchObject({
      selection: { suites: [], only: [] },
      safe: false,
      repeat: 1,
      concurrency: 8,
      limits: { connectMs: 5_000 },
    });
  });
  test.each<[RunOptions, object]>([
    [{ safe: true }, { concurrency: 2, perSecond: 5 }],
    [
      { safe: true, concurrency: 4, perSecond: 1 },
      { concurrency: 4, perSecond: 1 },
    ],
    [{ perSecond: 100 }, { concurrency: 8, perSecond: 100 }],
    [{ selection: { suites: ['auth'] } }, { selection: { suites: ['auth'], only: [] } }],
    [{ limits: { totalMs: 7 } }, { limits: { totalMs: 7, idleMs: 30_000 } }],
  ])('%j are completed to %j', (given, expected) => {
    expect(completeOptions(given)).toMatchObject(expected);
  });
  test.each<[RunOptions, string]>([
    [{ repeat: 0 }, 'Invalid value for repeat: 0.'],
    [{ repeat: 1.5 }, 'Invalid value for repeat: 1.5.'],
    [{ concurrency: Number.NaN }, 'Invalid value for concurrency: NaN.'],
    [{ perSecond: 0 }, 'Invalid value for perSecond (--rate): 0.'],
    [{ maxBillable: -1 }, 'Invalid value for maxBillable: -1.'],
    [{ maxMs: 2 ** 31 }, 'Invalid value for maxMs: 2147483648.'],
    [{ limits: { idleMs: -1 } }, 'Invalid value for idleMs: -1.'],
    [{ models: [] }, '`models` is an empty list.'],
    [{ models: ['gpt-*', ''] }, 'A pattern in `models` (--models) is empty.'],
    [{ fuzz: { count: 100_001 } }, 'Invalid value for fuzz.count: 100001.'],
    [{ selection: { shard: { index: 5, of: 2 } } }, 'Invalid value for shard.index: 5.'],
  ])('%j are rejected', (given, message) => {
    expect(() => completeOptions(given)).toThrow(UsageError);
    expect(() => completeOptions(given)).toThrow(message);
  });
  test('that are complete stay the same, including the random seed', () => {
    const complete = completeOptions({ safe: true, fuzz: { count: 3 } });
    expect(complete.fuzz).toEqual({ count: 3, seed: expect.any(Number) });
    expect(completeOptions(complete)).toEqual(complete);
  });
});
