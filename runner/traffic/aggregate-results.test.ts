import { expect, test } from 'vitest';
import type { Verdict } from '../judge/judge-requirement.ts';
import type { Severity } from '../judge/severity.ts';
import type { ExchangeReport } from '../report/report.ts';
import { createResultAggregator } from './aggregate-results.ts';

function addTo(
  aggregator: ReturnType<typeof createResultAggregator>,
  actual: number,
  severity: Severity,
): void {
  const finding = { kind: 'wrong-status' as const, expected: '401', actual };
  const verdict: Verdict = {
    outcome: 'violates',
    findings: [{ exchange: `e${actual}`, finding }],
    severity,
    reason: undefined,
  };
  const exchange: ExchangeReport = {
    id: `e${actual}`,
    attributes: {},
    startedAt: '',
    durationMs: 0,
    request: { method: 'GET', url: '', headers: {}, body: null },
    response: null,
    failure: null,
    earlier: [],
    traceId: null,
    curl: '',
  };
  aggregator.add({
    trafficCase: { id: 'c', suite: 's', about: '', attributes: {} },
    requirement: 'r',
    policy: 'worst',
    verdict,
    describe: (located) => ({ finding: { ...located, message: '' }, exchange }),
  });
}

test('a check has its highest severity, and an example of each severity', () => {
  const aggregator = createResultAggregator();
  addTo(aggregator, 403, 'wrong-status');
  addTo(aggregator, 404, 'wrong-status');
  addTo(aggregator, 200, 'unauthorized-access');
  const [item] = aggregator.cases([]);
  expect(item?.checks).toMatchObject([
    {
      severity: 'unauthorized-access',
      // The wrong statuses are one problem; access is another.
      findings: [{ exchange: 'e403' }, { exchange: 'e200' }],
    },
  ]);
});
