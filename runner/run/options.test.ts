import { describe, expect, test } from 'vitest';
import { UsageError } from '../profile/profile.ts';
import { completeOptions, type RunOptions, rejectUnknownOptions } from './options.ts';

describe('run options', () => {
  test('have defaults', () => {
    expect(completeOptions({})).toMatchObject({
      suites: [],
      only: [],
      safe: false,
      repeat: 1,
      concurrency: 8,
      maxBodyBytes: 1_048_576,
    });
  });
  test.each<[RunOptions, object]>([
    [{ safe: true }, { concurrency: 2, perSecond: 5 }],
    [
      { safe: true, concurrency: 4, perSecond: 1 },
      { concurrency: 4, perSecond: 1 },
    ],
    [{ perSecond: 100 }, { concurrency: 8, perSecond: 100 }],
    [{ suites: ['auth'] }, { suites: ['auth'], only: [] }],
  ])('%j are completed to %j', (given, expected) => {
    expect(completeOptions(given)).toMatchObject(expected);
  });
  test.each<[RunOptions, string]>([
    [{ repeat: 0 }, 'Invalid value for repeat: 0.'],
    [{ repeat: 1.5 }, 'Invalid value for repeat: 1.5.'],
    [{ concurrency: Number.NaN }, 'Invalid value for concurrency: NaN.'],
    [{ perSecond: 0 }, 'Invalid value for perSecond: 0.'],
    [{ maxBillable: -1 }, 'Invalid value for maxBillable: -1.'],
    [{ maxMs: 2 ** 31 }, 'Invalid value for maxMs: 2147483648.'],
    [{ timeoutMs: -1 }, 'Invalid value for timeoutMs: -1.'],
    [{ models: [] }, 'Invalid value for models: [].'],
    [{ models: ['gpt-*', ''] }, 'Invalid value for models: ["gpt-*",""].'],
    [{ fuzz: 100_001 }, 'Invalid value for fuzz: 100001.'],
    [{ seed: 1 }, '--seed has no effect without --fuzz.'],
    [{ fuzz: 5, shard: { index: 1, of: 2 } }, 'needs a seed'],
    [{ shard: { index: 5, of: 2 } }, 'Invalid value for shard: {"index":5,"of":2}.'],
  ])('%j are rejected', (given, message) => {
    expect(() => completeOptions(given)).toThrow(UsageError);
    expect(() => completeOptions(given)).toThrow(message);
  });
  test('that are complete stay the same, including the random seed', () => {
    const complete = completeOptions({ safe: true, fuzz: 3 });
    expect(complete.seed).toEqual(expect.any(Number));
    expect(completeOptions(complete)).toEqual(complete);
  });
});

test('an option of a caller without types that does not exist is rejected', () => {
  expect(() => rejectUnknownOptions({ concurency: 2 })).toThrow(
    new UsageError('Unknown option "concurency". Did you mean "concurrency"?'),
  );
  expect(() =>
    rejectUnknownOptions({ concurrency: 2, signal: undefined, baseUrl: '' }, ['baseUrl']),
  ).not.toThrow();
});
