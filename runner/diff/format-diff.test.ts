import { expect, test } from 'vitest';
import type { Judged } from '../baseline/model-entries.ts';
import type { Outcome } from '../judge/outcome.ts';
import { formatChange, remember } from './format-diff.ts';

/** A report in which a requirement came to this in each case. */
function report(outcomes: Readonly<Record<string, Outcome>>): Judged {
  return {
    cases: Object.entries(outcomes).map(([id, outcome]) => ({
      id,
      obligations: [{ requirement: 'a/b', outcome, findings: [] }],
    })),
  };
}

test.each<[Outcome, Outcome, string]>([
  ['conforms', 'conforms', 'no change'],
  ['conforms', 'violates', 'newly violated a/b'],
  ['violates', 'conforms', 'newly kept a/b'],
  ['violates', 'not-applicable', 'no longer judged a/b'],
  ['conforms', 'not-applicable', 'no longer judged a/b'],
  ['violates', 'inconclusive', 'no longer judged a/b'],
  ['violates', 'warns', 'newly warned of a/b'],
  ['inconclusive', 'conforms', 'newly judged a/b'],
])('from %s to %s there is: %s', (before, now, told) => {
  expect(formatChange(remember(new Map(), report({ c: before })), report({ c: now }))).toBe(
    `Since the last run: ${told}.`,
  );
});

test('cases are counted, and those of a run before the last are remembered', () => {
  const first = remember(new Map(), report({ c: 'violates', d: 'violates', e: 'conforms' }));
  const second = remember(first, report({ e: 'conforms' }));
  expect(formatChange(second, report({ c: 'conforms', d: 'conforms', f: 'violates' }))).toBe(
    'Since the last run: newly kept a/b (2 cases).',
  );
});
