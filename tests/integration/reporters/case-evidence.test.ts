import { XmlDocument } from 'libxml2-wasm';
import { Parser } from 'tap-parser';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../runner/judge/outcome.ts';
import type { CheckReport, Report } from '../../../runner/report/report.ts';
import { junit, tap } from '../../support/reporters.ts';
import { createSampleReport } from '../../support/sample-report.ts';

const sample = await createSampleReport();

/** Returns a report of one requirement, whose check has these outcomes in one case each. */
function reportOf(ends: readonly (Outcome | 'known')[]): Report {
  const [item] = sample.cases.filter(({ exchanges }) => exchanges.length > 0);
  const [requirement] = sample.requirements;
  if (!item || !requirement) throw new Error('Nothing was sent.');
  const cases = ends.map((end, index) => {
    const check: CheckReport = {
      requirement: requirement.id,
      outcome: end === 'known' ? 'violates' : end,
      findings: [],
      reason: `reason ${index}`,
      ...(end === 'known' && { expected: 'Ticket 12' }),
    };
    return { ...item, id: `case/${index}`, checks: [check] };
  });
  return { ...sample, diagnosis: [], requirements: [requirement], cases };
}

/** Returns the cases with evidence in the TAP report. */
function readTapEvidence(text: string): string[] {
  const parser = new Parser({ strict: true });
  const listed: string[] = [];
  parser.on('assert', ({ diag }) => listed.push(...Object.keys(diag?.examples ?? {})));
  parser.end(text);
  return listed;
}

/** Returns the cases with evidence in the JUnit report. */
function readJunitEvidence(text: string): string[] {
  const document = XmlDocument.fromString(text);
  const texts = document.find('//failure | //system-out').map(({ content }) => content);
  document.dispose();
  return texts.flatMap((content) => content.split('\n').filter((line) => line.startsWith('case/')));
}

describe('the evidence of a requirement', () => {
  test.each<[string, (Outcome | 'known')[], number[]]>([
    [
      'a failed requirement has evidence of the violations that no baseline expects',
      ['known', 'violates', 'warns', 'violates', 'conforms'],
      [1, 3],
    ],
    [
      'a requirement whose violations are all expected has evidence of the violations',
      ['known', 'warns', 'conforms'],
      [0],
    ],
    ['a requirement with only warnings has evidence of the warnings', ['conforms', 'warns', 'warns'], [1, 2]],
    ['a requirement that could not be judged has no evidence', ['inconclusive', 'known', 'warns'], []],
  ])('%s, in TAP and in JUnit', (_, ends, listed) => {
    const report = reportOf(ends);
    const expected = listed.map((index) => `case/${index}`);
    expect(readTapEvidence(tap(report))).toEqual(expected);
    expect(readJunitEvidence(junit(report))).toEqual(expected);
  });
});
