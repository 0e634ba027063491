import { expect, test } from 'vitest';
import type { CheckResults } from '../gate/baseline.ts';
import type { Outcome } from '../judge/outcome.ts';
import { addReport, formatChange } from './changes.ts';

/** Creates a report with the outcome of the requirement `a/b` in each case. */
function report(outcomes: Readonly<Record<string, Outcome>>): CheckResults {
  return {
    cases: Object.entries(outcomes).map(([id, outcome]) => ({
      id,
      checks: [{ requirement: 'a/b', outcome, findings: [] }],
    })),
  };
}

test.each<[Outcome, Outcome, string]>([
  ['conforms', 'conforms', 'no change'],
  ['conforms', 'violates', 'newly violated a/b'],
  ['violates', 'conforms', 'fixed a/b'],
  ['violates', 'not-applicable', 'no longer judged a/b'],
  ['conforms', 'not-applicable', 'no longer judged a/b'],
  ['violates', 'inconclusive', 'no longer judged a/b'],
  ['violates', 'warns', 'newly warned a/b'],
  ['inconclusive', 'conforms', 'newly judged a/b'],
])('summarizes a change from %s to %s: %s', (before, now, change) => {
  expect(formatChange(addReport(new Map(), report({ c: before })), report({ c: now }))).toBe(
    `Since the last run: ${change}.`,
  );
});

test('counts cases, and uses the results of earlier runs', () => {
  const first = addReport(new Map(), report({ c: 'violates', d: 'violates', e: 'conforms' }));
  const second = addReport(first, report({ e: 'conforms' }));
  expect(formatChange(second, report({ c: 'conforms', d: 'conforms', f: 'violates' }))).toBe(
    'Since the last run: fixed a/b (2 cases).',
  );
});
