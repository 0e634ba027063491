import { expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { formatCaseText } from '../../../runner/view/test-result.ts';
import { github, junit, sarif, tap, terminal } from '../../support/reporters.ts';
import { createSampleReport } from '../../support/sample-report.ts';

const style = { colour: false, verbose: false, width: Number.POSITIVE_INFINITY };
const sample = await createSampleReport();

function firstViolation(): { report: Report; found: string; received: string } {
  const [item] = sample.cases.filter(({ outcome }) => outcome === 'violates');
  const [check] = item?.checks.filter(({ outcome }) => outcome === 'violates') ?? [];
  const [exchange] = item?.exchanges ?? [];
  if (!item || !check || !exchange?.response) throw new Error('Nothing is violated.');
  const body = { text: '{"data":\n\t"\u202eevil"}', bytes: 1 };
  const exchanges = [{ ...exchange, response: { ...exchange.response, body } }];
  return {
    report: { ...sample, cases: [{ ...item, checks: [check], exchanges }] },
    found: check.findings.map(({ message }) => message).join('; '),
    received: '200 {"data": "\\u202eevil"}',
  };
}

/** The formats, each with a function that formats a named value as that format does. */
const forms: readonly [string, (report: Report) => string, (name: string, text: string) => string][] = [
  ['JUnit', junit, (name, text) => `${name.padEnd(9)} ${text}\n`],
  ['TAP', tap, (name, text) => `${name}: ${JSON.stringify(text)}\n`],
  ['SARIF', sarif, (name, text) => JSON.stringify(`\n${name}: ${text}\n`).slice(1, -1)],
  ['annotations', github, (name, text) => `%0A${name}: ${text}%0A`],
  [
    'the text of a vitest failure',
    (report) => {
      const [item] = report.cases;
      return item ? formatCaseText(item, item.checks, report) : '';
    },
    (name, text) => (name === 'found' ? `→ ${text}\n` : `  ${name}: ${text}\n`),
  ],
];

test.each(forms)('%s has the finding as found and the response as received', (_, write, row) => {
  const { report, found, received } = firstViolation();
  const text = write(report);
  expect(text).toContain(row('found', found));
  expect(text).toContain(row('received', received));
});

test('the terminal prints the same response as `received`', () => {
  const { report, received } = firstViolation();
  expect(terminal(report, style)).toContain(`received  ${received}\n`);
});
