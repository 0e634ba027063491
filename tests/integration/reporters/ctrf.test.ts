import { validate } from 'ctrf';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { createView } from '../../../runner/view/view.ts';
import { ctrf } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

describe('the CTRF report', () => {
  test('is valid, with a test for each requirement and each failure of the run, and correct counts', () => {
    const document = JSON.parse(ctrf(report));
    expect(validate(document)).toMatchObject({ valid: true });
    const { tests, summary } = document.results;
    const names = createView(report).tests.map(({ name }) => name);
    expect(tests.map(({ name }: { name: string }) => name)).toEqual([
      ...names,
      'stopped',
      'known.yaml:3',
      'conformance.yaml:9',
    ]);
    for (const status of ['passed', 'failed', 'skipped'])
      expect(summary[status]).toBe(tests.filter((test: { status: string }) => test.status === status).length);
    expect(summary.failed * summary.passed * summary.skipped).toBeGreaterThan(0);
  });

  test('has the causes and the evidence of a failed test', () => {
    const { tests } = JSON.parse(ctrf(report)).results;
    const failed = tests.find(({ rawStatus }: { rawStatus: string }) => rawStatus === 'failed');
    expect(failed.message).toBe(createView(report).tests.find(({ kind }) => kind === 'failed')?.reasons[0]);
    expect(failed.trace).toMatch(/^curl +curl /m);
  });

  test('stays valid whatever a gateway sends', () => {
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(validate(JSON.parse(ctrf(spoilt)))).toMatchObject({ valid: true });
      }),
      { numRuns: 20 },
    );
  });
});
