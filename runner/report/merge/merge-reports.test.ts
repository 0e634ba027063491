import { expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../../tests/support/reports.ts';
import type { Report } from '../report.ts';
import { nameStoppedShards } from './merge-reports.ts';

function reportOf(stopped: Report['stopped'], ...reasons: string[]): Report {
  const checks = reasons.map((reason) => createCheck('r', 'inconclusive', { reason }));
  const message = `${stopped?.reason} Is the gateway running?`;
  const diagnosis = stopped ? [{ kind: 'unreachable', operation: undefined, message } as const] : [];
  return createReport([createCase('c', checks)], { stopped, diagnosis });
}
const reasonsIn = ({ cases }: Report): (string | undefined)[] =>
  cases.flatMap(({ checks }) => checks.map(({ reason }) => reason));

test('adds the file of a stopped shard to the reason of the stop, but not to other reasons', () => {
  const whole = reportOf(null, 'No response.');
  const [first, second = whole] = nameStoppedShards([
    { file: '1.json', report: whole },
    { file: '2.json', report: reportOf({ kind: 'unanswered', reason: '8 failed.' }, '8 failed.', 'Other.') },
  ]);
  expect(first).toBe(whole);
  expect(second.stopped).toEqual({ kind: 'unanswered', reason: '2.json: 8 failed.' });
  expect(second.diagnosis.map(({ message }) => message)).toEqual([
    '2.json: 8 failed. Is the gateway running?',
  ]);
  expect(reasonsIn(second)).toEqual(['2.json: 8 failed.', 'Other.']);
});

test('names all shards that were stopped for the same reason', () => {
  const merged = nameStoppedShards([
    { file: '1.json', report: reportOf({ kind: 'time', reason: '2 s passed.' }, '2 s passed.') },
    { file: '2.json', report: reportOf({ kind: 'time', reason: '3 s passed.' }, '3 s passed.') },
    { file: '3.json', report: reportOf({ kind: 'time', reason: '2 s passed.' }, '2 s passed.') },
  ]);
  const expected = ['1.json, 3.json: 2 s passed.', '2.json: 3 s passed.', '1.json, 3.json: 2 s passed.'];
  expect(merged.map(({ stopped }) => stopped?.reason)).toEqual(expected);
  expect(merged.flatMap(reasonsIn)).toEqual(expected);
});
