import { describe, expect, test } from 'vitest';
import { createCase, createCheck, createReport } from '../../tests/support/reports.ts';
import { listFailedCases } from './failed-cases.ts';

const lenient = { strictShould: false };

describe('the failed cases', () => {
  const report = createReport([
    createCase('a/violated', [createCheck('a/1', 'conforms'), createCheck('a/2', 'violates')]),
    createCase('a/unknown', [createCheck('a/1', 'inconclusive', { reason: 'No response.' })]),
    createCase('a/accepted', [createCheck('a/2', 'violates', { expected: 'known' })]),
    createCase('a/warned', [createCheck('a/3', 'warns')]),
    createCase('a/passed', [createCheck('a/1', 'conforms'), createCheck('a/4', 'not-applicable')]),
  ]);

  test('are those that fail a command or were not judged, unless the baseline accepts it', () => {
    expect(listFailedCases([], report, lenient)).toEqual(['a/violated', 'a/unknown']);
    expect(listFailedCases([], report, { strictShould: true })).toContain('a/warned');
  });

  test('include earlier ones that the report does not contain', () => {
    expect(listFailedCases(['b/other', 'a/passed', 'a/violated'], report, lenient)).toEqual([
      'b/other',
      'a/violated',
      'a/unknown',
    ]);
  });

  test('of a stopped run exclude those that it did not reach', () => {
    const stopped = { kind: 'bail', reason: 'The run was stopped at the first violation.' } as const;
    const unreached = createCheck('a/1', 'inconclusive', { reason: stopped.reason });
    const bailed = createReport(
      [
        createCase('a/first', [createCheck('a/2', 'violates'), unreached]),
        createCase('a/later', [unreached]),
        createCase('a/earlier', [unreached]),
      ],
      { stopped },
    );
    expect(listFailedCases(['a/earlier'], bailed, lenient)).toEqual(['a/earlier', 'a/first']);
  });
});
