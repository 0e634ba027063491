import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { createView } from '../../../runner/view/view.ts';
import { brief } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';

let report: Report;
beforeAll(async () => {
  report = withRarities(await createSampleReport());
});

describe('the brief report', () => {
  test('has the result, the worst cause with a curl line, and the next command', () => {
    const text = brief({ ...report, recording: undefined });
    const [cause] = createView(report).causes;
    expect(text.split('\n')[0]).toBe(`${report.target.baseUrl}: violates`);
    expect(text).toContain(`1. Unauthorized access: ${cause?.title}`);
    expect(text).toContain(cause?.example?.exchange.curl);
    expect(text).toMatch(/^Next: conformance run http:\S+ --only \S+/m);
  });

  test('has at most 2,000 bytes whatever a gateway sends, and counts the causes that are left out', () => {
    fc.assert(
      fc.property(withHostileTexts(report), (spoilt) => {
        expect(Buffer.byteLength(brief(spoilt))).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 30 },
    );
    const [item] = report.cases.filter(({ outcome }) => outcome === 'violates');
    const many = Array.from({ length: 20 }, (_, index) => ({
      ...report.requirements[0],
      id: `made-up/${index}`,
    })) as Report['requirements'];
    const checks = many.map(({ id }) => ({ ...item?.checks[0], requirement: id }));
    const spread = { ...report, requirements: many, cases: item ? [{ ...item, checks }] : [] } as Report;
    expect(Buffer.byteLength(brief(spread))).toBeLessThanOrEqual(2_000);
  });
});
