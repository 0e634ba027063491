import { expect, test } from 'vitest';
import { createCheck } from '../../tests/support/reports.ts';
import type { CheckReport } from '../report/report.ts';
import { countOutcomes } from '../report/summarize.ts';
import { countExpectedFailures, formatCounts, formatCountsShort } from './counts.ts';

const failed = (requirement: string, expected?: string): CheckReport =>
  createCheck(requirement, 'violates', { ...(expected !== undefined && { expected }) });

test.each<[string, readonly (readonly CheckReport[])[], { requirements: number; cases: number }]>([
  ['no failure', [[]], { requirements: 0, cases: 0 }],
  ['a failure without an entry', [[failed('a')]], { requirements: 0, cases: 0 }],
  ['expected failures', [[failed('a', 'x'), failed('b', 'x')]], { requirements: 2, cases: 1 }],
  ['one expected failure of two', [[failed('a', 'x'), failed('b')]], { requirements: 1, cases: 0 }],
  [
    'a requirement with one expected failure',
    [[failed('a', 'x')], [failed('a')]],
    { requirements: 0, cases: 1 },
  ],
])('counts the expected failures: %s', (_, checks, expected) => {
  const failed = checks.flatMap((own, index) =>
    own.map(({ requirement, expected: known }) => ({
      outcome: 'violates' as const,
      known,
      requirement: { id: requirement },
      item: { id: `${index}` },
    })),
  );
  expect(countExpectedFailures(failed, [], {})).toEqual(expected);
});

test('counts contain the number of expected failures', () => {
  const counts = {
    planned: 9,
    conforms: 5,
    violates: 4,
    warns: 0,
    inconclusive: 0,
    deviates: 0,
    notApplicable: 0,
  };
  expect(formatCounts(counts, 3)).toBe('9 planned: 5 passed, 4 failed (3 expected)');
  expect(formatCounts(counts)).toBe('9 planned: 5 passed, 4 failed');
  expect(formatCountsShort(counts, 3)).toBe('9: 4 failed (3 expected), 5 passed');
});

test('counts say how many deviate as declared, in words that fit the number', () => {
  const counts = countOutcomes([{ outcome: 'conforms' }, { outcome: 'deviates' }]);
  expect(formatCounts(counts)).toBe('2 planned: 1 passed, 1 deviates as declared');
  expect(formatCountsShort({ ...counts, planned: 3, deviates: 2 }, 0)).toBe(
    '3: 1 passed, 2 deviate as declared',
  );
});
