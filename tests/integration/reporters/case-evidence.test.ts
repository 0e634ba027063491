import { XmlDocument } from 'libxml2-wasm';
import { Parser } from 'tap-parser';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../runner/judge/outcome.ts';
import type { CheckReport, Report } from '../../../runner/report/report.ts';
import { junit, tap } from '../../support/reporters.ts';
import { createSampleReport } from '../../support/sample-report.ts';

const sample = await createSampleReport();
const ids = sample.requirements.map(({ id }) => id);

/** Returns a report of one case with these outcomes, one for each requirement in turn. */
function reportOf(ends: readonly (Outcome | 'known')[]): Report {
  const [item] = sample.cases.filter(({ exchanges }) => exchanges.length > 0);
  if (!item) throw new Error('Nothing was sent.');
  const checks = ends.map(
    (end, index): CheckReport => ({
      requirement: ids[index] ?? '',
      outcome: end === 'known' ? 'violates' : end,
      findings: [],
      reason: `reason ${index}`,
      ...(end === 'known' && { expected: 'Ticket 12' }),
    }),
  );
  return { ...sample, diagnosis: [], cases: [{ ...item, checks }] };
}

/** Returns the requirements with evidence in the TAP report. */
function readTapEvidence(text: string): string[] {
  const parser = new Parser({ strict: true });
  const listed: string[] = [];
  parser.on('assert', ({ diag }) => listed.push(...Object.keys(diag?.requirements ?? {})));
  parser.end(text);
  return listed;
}

/** Returns the requirements with evidence in the JUnit report. */
function readJunitEvidence(text: string): string[] {
  const document = XmlDocument.fromString(text);
  const texts = document.find('//failure | //system-out').map(({ content }) => content);
  document.dispose();
  return texts.flatMap((content) => ids.filter((id) => content.split('\n').includes(id)));
}

describe('the evidence of a case', () => {
  test.each<[string, (Outcome | 'known')[], number[]]>([
    [
      'a failed case has evidence of the violations that no baseline expects',
      ['known', 'violates', 'warns', 'violates', 'conforms'],
      [1, 3],
    ],
    [
      'a case whose violations are all expected has evidence of the violations',
      ['known', 'warns', 'conforms'],
      [0],
    ],
    ['a case with only warnings has evidence of the warnings', ['conforms', 'warns', 'warns'], [1, 2]],
    ['a case that could not be judged has no evidence', ['inconclusive', 'known', 'warns'], []],
  ])('%s, in TAP and in JUnit', (_, ends, listed) => {
    const report = reportOf(ends);
    const expected = listed.map((index) => ids[index]);
    expect(readTapEvidence(tap(report))).toEqual(expected);
    expect(readJunitEvidence(junit(report))).toEqual(expected);
  });
});
