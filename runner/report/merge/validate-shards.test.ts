import { describe, expect, test } from 'vitest';
import type { CaseReport, Report } from '../report.ts';
import { recomputeReport } from './validate-shards.ts';

const judged = (id: string, ...outcomes: CaseReport['outcome'][]): CaseReport => ({
  id,
  suite: 's',
  about: 'a',
  attributes: {},
  outcome: 'conforms',
  checks: outcomes.map((outcome, index) => ({ requirement: `r/${index}`, outcome, findings: [] })),
  exchanges: [],
});
const reportOf = (...cases: CaseReport[]): Report => ({
  schemaVersion: 1,
  tool: { name: 't', version: '1' },
  spec: { revision: '1' },
  target: { baseUrl: 'http://x' },
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  verdict: 'conforms',
  diagnosis: [],
  stopped: null,
  shard: null,
  rounds: 1,
  baseline: null,
  requests: { requests: 0, billable: 0, badKeys: 0, sent: 0 },
  summary: {
    cases: { planned: 9, conforms: 9, violates: 0, warns: 0, inconclusive: 0, notApplicable: 0 },
    requirements: { planned: 9, conforms: 9, violates: 0, warns: 0, inconclusive: 0, notApplicable: 0 },
  },
  requirements: ['r/0', 'r/1'].map((id) => ({
    id,
    clause: '1',
    level: 'must',
    says: '',
    expects: '',
    outcome: 'conforms',
    cases: [],
  })),
  cases,
  others: [],
  observations: [],
});
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
