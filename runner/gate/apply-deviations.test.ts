import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import type { Report } from '../report/report.ts';
import type { DeclaredPartReport } from '../report/report-sections.ts';
import { applyDeviations } from './apply-deviations.ts';

const today = '2027-01-31';
const suite = { requirements: 1, isSelection: false };
const part = (id: string, more: Partial<DeclaredPartReport> = {}): DeclaredPartReport => ({
  id,
  about: 'x',
  place: 'p.yaml:1',
  used: 1,
  judged: 1,
  ...more,
});
const unneeded = { used: 0 };
const old = { until: '2027-01-30' };

function problemsOf(parts: readonly DeclaredPartReport[], changes: Partial<Report> = {}): unknown {
  const cases = [createCase('a', [createCheck('r', 'conforms')])];
  const report = createReport(cases, { suite, deviations: { parts, problems: [] }, ...changes });
  return applyDeviations(report, today).deviations?.problems.map(({ status, place }) => [status, place]);
}

test.each<[string, readonly DeclaredPartReport[], unknown, Partial<Report>?]>([
  ['needed', [part('a')], []],
  ['needed until today', [part('a', { until: today })], []],
  ['not needed', [part('a', unneeded)], [['stale', 'p.yaml:1']]],
  ['not needed, one of two at a place', [part('a', unneeded), part('b')], [['stale', 'p.yaml:1']]],
  ['not judged', [part('a', { ...unneeded, judged: 0 })], []],
  ['not needed by a selection', [part('a', unneeded)], [], { suite: { ...suite, isSelection: true } }],
  [
    'not needed by a run that was stopped',
    [part('a', unneeded)],
    [],
    { stopped: { kind: 'time', reason: '' } },
  ],
  ['expired', [part('a', old)], [['expired', 'p.yaml:1']]],
  ['expired and not needed', [part('a', { ...old, ...unneeded })], [['expired', 'p.yaml:1']]],
  ['expired, several at one place', [part('a', old), part('b', old)], [['expired', 'p.yaml:1']]],
  [
    'expired at two places',
    [part('a', old), part('b', { ...old, place: 'p.yaml:9' })],
    [
      ['expired', 'p.yaml:1'],
      ['expired', 'p.yaml:9'],
    ],
  ],
  [
    'expired, after a selection',
    [part('a', old)],
    [['expired', 'p.yaml:1']],
    { suite: { ...suite, isSelection: true } },
  ],
])('problems of a deviation that is %s', (_, parts, problems, changes) => {
  expect(problemsOf(parts, changes)).toEqual(problems);
});

test('a report without declared deviations stays as it is', () => {
  const report = createReport([]);
  expect(applyDeviations(report, today)).toBe(report);
});
