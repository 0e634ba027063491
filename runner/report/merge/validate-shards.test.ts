import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../../tests/support/reports.ts';
import type { CaseReport, Report } from '../report.ts';
import { recomputeReport } from './validate-shards.ts';

const counts = { planned: 9, conforms: 9, violates: 0, warns: 0, inconclusive: 0, notApplicable: 0 };

/** Creates a case that claims to conform, whatever its checks say. */
const judged = (id: string, ...outcomes: CaseReport['outcome'][]): CaseReport =>
  createCase(
    id,
    outcomes.map((outcome, index) => createCheck(`r/${index}`, outcome)),
    { outcome: 'conforms' },
  );
/** Creates a report that claims to conform. Its requirements are the first two, whatever its cases check. */
function reportOf(...cases: CaseReport[]): Report {
  const { requirements } = createReport([judged('x', 'conforms', 'conforms')]);
  return createReport(cases, {
    verdict: 'conforms',
    summary: { cases: counts, requirements: counts },
    requirements: requirements.map((item) => ({ ...item, cases: [] })),
  });
}
const restate = (report: Report): Report => recomputeReport({ file: 'r.json', report });

test('recomputes the verdict, the counts and all outcomes from the checks', () => {
  const report = restate(reportOf(judged('a', 'conforms', 'violates'), judged('b', 'conforms')));
  expect(report.verdict).toBe('violates');
  expect(report.cases.map(({ outcome }) => outcome)).toEqual(['violates', 'conforms']);
  expect(report.requirements.map(({ outcome }) => outcome)).toEqual(['conforms', 'violates']);
  expect(report.summary.cases).toMatchObject({ planned: 2, violates: 1 });
  expect(report.summary.requirements).toMatchObject({ planned: 2, violates: 1 });
});

describe('throws with the file for', () => {
  const one = judged('a', 'conforms');
  test.each<[string, Report, string]>([
    ['a case twice', reportOf(one, one), 'r.json: the case "a" occurs twice.'],
    [
      'a requirement twice',
      reportOf({ ...one, checks: [...one.checks, ...one.checks] }),
      'r.json: the case "a" has the requirement "r/0" twice.',
    ],
    [
      'a requirement that is not listed',
      reportOf(judged('a', 'conforms', 'conforms', 'conforms')),
      'r.json: the requirement "r/2" of the case "a" is not in `requirements`',
    ],
  ])('%s', (_, report, message) => {
    expect(() => restate(report)).toThrow(message);
  });
});
