import { XmlDocument } from 'libxml2-wasm';
import { Parser } from 'tap-parser';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../runner/judge/outcome.ts';
import type { ObligationReport, Report } from '../../../runner/report/report.ts';
import { junit } from '../../../runner/reporters/junit.ts';
import { tap } from '../../../runner/reporters/tap.ts';
import { sampleReport } from '../../support/sample-report.ts';

const sample = await sampleReport();
const ids = sample.requirements.map(({ id }) => id);

/** A report of one case that came to these outcomes under the requirements in turn. */
function reportOf(ends: readonly (Outcome | 'known')[]): Report {
  const [item] = sample.cases.filter(({ exchanges }) => exchanges.length > 0);
  if (!item) throw new Error('Nothing was sent.');
  const obligations = ends.map(
    (end, index): ObligationReport => ({
      requirement: ids[index] ?? '',
      outcome: end === 'known' ? 'violates' : end,
      findings: [],
      reason: `reason ${index}`,
      ...(end === 'known' && { expected: 'Ticket 12' }),
    }),
  );
  return { ...sample, diagnosis: [], cases: [{ ...item, obligations }] };
}

/** The requirements of which the TAP report gives evidence. */
function inTap(text: string): string[] {
  const parser = new Parser({ strict: true });
  const told: string[] = [];
  parser.on('assert', ({ diag }) => told.push(...Object.keys(diag?.requirements ?? {})));
  parser.end(text);
  return told;
}

/** The requirements of which the JUnit report gives evidence. */
function inJunit(text: string): string[] {
  const document = XmlDocument.fromString(text);
  const texts = document.find('//failure | //system-out').map(({ content }) => content);
  document.dispose();
  return texts.flatMap((content) => ids.filter((id) => content.split('\n').includes(id)));
}

describe('the evidence of a case', () => {
  test.each<[string, (Outcome | 'known')[], number[]]>([
    [
      'that failed is of what no baseline expects',
      ['known', 'violates', 'warns', 'violates', 'conforms'],
      [1, 3],
    ],
    ['that is known is of what a baseline expects', ['known', 'warns', 'conforms'], [0]],
    ['that only warns is of the warnings', ['conforms', 'warns', 'warns'], [1, 2]],
    ['that could not be judged is none', ['inconclusive', 'known', 'warns'], []],
  ])('%s, in TAP and in JUnit', (_, ends, told) => {
    const report = reportOf(ends);
    const expected = told.map((index) => ids[index]);
    expect(inTap(tap(report))).toEqual(expected);
    expect(inJunit(junit(report))).toEqual(expected);
  });
});
