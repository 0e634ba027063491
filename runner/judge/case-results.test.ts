import { expect, test } from 'vitest';
import { type CaseResults, createCaseResults } from './case-results.ts';
import type { LocatedFinding } from './judge-requirement.ts';
import type { Severity } from './severity.ts';

interface Shown {
  readonly finding: LocatedFinding;
  readonly exchange: { readonly id: string };
}

function addTo(results: CaseResults<Shown>, actual: number, severity: Severity): void {
  const exchange = `e${actual}`;
  const finding = { kind: 'wrong-status' as const, expected: '401', actual };
  results.add({
    of: { id: 'c', suite: 's', about: '', attributes: {} },
    requirement: { id: 'r', clause: [], says: '' },
    policy: 'worst',
    verdict: { outcome: 'violates', findings: [{ exchange, finding }], severity, reason: undefined },
    describe: (located) => ({ finding: located, exchange: { id: exchange } }),
  });
}

test('a check has its highest severity, and an example of each severity', () => {
  const results = createCaseResults<Shown>();
  addTo(results, 403, 'wrong-status');
  addTo(results, 404, 'wrong-status');
  addTo(results, 200, 'unauthorized-access');
  const [item] = results.list([]);
  expect(item?.checks).toMatchObject([
    {
      severity: 'unauthorized-access',
      // The wrong statuses are one problem; access is another.
      findings: [{ exchange: 'e403' }, { exchange: 'e200' }],
    },
  ]);
});
