import { expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { caseText } from '../../../runner/report/test-result.ts';
import { github } from '../../../runner/reporters/github.ts';
import { html } from '../../../runner/reporters/html/page.tsx';
import { junit } from '../../../runner/reporters/junit.ts';
import { markdown } from '../../../runner/reporters/markdown.ts';
import { sarif } from '../../../runner/reporters/sarif.ts';
import { tap } from '../../../runner/reporters/tap.ts';
import { terminal } from '../../../runner/reporters/terminal/report.ts';
import { sampleReport } from '../../support/sample-report.ts';

const report = await sampleReport();
const plain = { colour: false, verbose: false, width: Number.POSITIVE_INFINITY };
const reason = 'No deleted key is known.';
const open = report.cases.filter((item) => item.obligations.every((own) => own.add === 'keys.deleted'));
const count = open.flatMap((item) => item.obligations).length;

const forms: readonly [string, (report: Report) => string, string][] = [
  [
    'the terminal',
    (own) => terminal(own, plain),
    `– ${String(count).padStart(4)}  ${reason} Add keys.deleted.`,
  ],
  ['annotations', github, `%0A${count} not-applicable: ${reason} Add keys.deleted.`],
  ['SARIF', sarif, `"${count} not-applicable: ${reason} Add keys.deleted."`],
  ['Markdown', markdown, `- ${count} not-applicable: \`${reason}\` Add \`keys.deleted\`.`],
  [
    'the page',
    html,
    `<strong class="number">${count}</strong> <span>${reason} Add <code>keys.deleted</code>.</span>`,
  ],
  ['TAP', tap, `${reason} Add keys.deleted.`],
  ['JUnit', junit, `${reason} Add keys.deleted.`],
  [
    'the text of a vitest failure',
    (own) => open.map((item) => caseText(item, item.obligations, own)).join('\n'),
    `→ not-applicable: ${reason} Add keys.deleted.`,
  ],
];

test.each(forms)('%s says why something was not judged and what to add', (_, write, expected) => {
  expect(count).toBeGreaterThan(0);
  expect(write(report)).toContain(expected);
});

test('the terminal prints no empty color sequence if there is nothing to add', () => {
  expect(terminal(report, { ...plain, colour: true })).not.toContain('\u001b[36m\u001b[39m');
});
