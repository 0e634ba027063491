import { beforeAll, describe, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { json } from '../../support/reporters.ts';
import { createSampleReport, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = await createSampleReport();
});

describe('the causes of the JSON report', () => {
  test('are valid under the schema, also in a report that was read from a file', async () => {
    const schemas = await loadSchemas();
    const text = joinReportText(json(report));
    expect(schemas.problems('report', JSON.parse(text))).toEqual([]);
    expect(joinReportText(json(JSON.parse(text)))).toBe(text);
  });

  test('are sorted by severity, and refer to requirements, cases and an exchange', () => {
    const { causes, cases, requirements } = JSON.parse(joinReportText(json(report)));
    const judged = cases.filter(({ checks }: { checks: { requirement: string; outcome: string }[] }) =>
      checks.some(
        ({ requirement, outcome }) =>
          causes[0].requirements.includes(requirement) && ['conforms', 'violates'].includes(outcome),
      ),
    );
    expect(judged.length).toBeGreaterThan(20);
    expect(causes[0]).toMatchObject({
      id: 'unauthorized-access wrong-key',
      severity: 'unauthorized-access',
      rank: 1,
      outcome: 'violates',
      title: 'The first half of a key is accepted on `models`',
      lookAt: 'how keys are compared: the whole key must match',
      requirements: ['auth/bad-bearer-token', 'auth/bad-x-api-key'],
      judgedCases: judged.length,
      requests: 2,
      places: ['status'],
      example: { requirement: 'auth/bad-bearer-token', message: 'expected status 401, got 200' },
    });
    const ranks: number[] = causes.map(({ rank }: { rank: number }) => rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
    for (const { requirements: ids, cases: own, example } of causes) {
      expect(requirements.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids));
      const item = cases.find(({ id }: { id: string }) => id === example.case);
      expect(own).toContain(example.case);
      expect(item.exchanges.map(({ id }: { id: string }) => id)).toContain(example.exchange);
    }
  });

  test('omit violations that the baseline expects', () => {
    const [cause] = JSON.parse(joinReportText(json(withRarities(report)))).causes;
    expect(cause.requirements).toEqual(['auth/bad-bearer-token']);
  });
});
