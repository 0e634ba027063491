import { expect, test } from 'vitest';
import { isKept } from '../../../runner/judge/outcome.ts';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import { formatCaseText } from '../../../runner/view/test-result.ts';
import { github, html, junit, markdown, sarif, tap, terminal } from '../../support/reporters.ts';
import { createGoldenReport } from '../../support/sample-report.ts';
import { unpackPage } from '../../support/unpack-page.ts';

const report = await createGoldenReport();
const style = { colour: false, verbose: false, width: 100 };

const files: readonly [file: string, write: (report: Report) => string][] = [
  ['terminal.txt', (own) => terminal(own, style)],
  ['terminal-verbose.txt', (own) => terminal(own, { ...style, verbose: true })],
  ['markdown.txt', markdown],
  ['html.txt', simplifyPage],
  ['junit.txt', junit],
  ['tap.txt', tap],
  ['github.txt', github],
  ['sarif.txt', sarif],
  ['vitest.txt', (own) => failuresOf(own)],
];

// `npx vitest run tests/integration/reporters/golden.test.ts -u` writes the files.
test.each(files)('%s is the reviewed report', async (file, write) => {
  await expect(write(report)).toMatchFileSnapshot(`golden/${file}`);
});

/** Returns the Vitest messages of the cases with checks that fail or were not judged. */
function failuresOf(own: Report): string {
  return own.cases
    .map((item) => [item, item.checks.filter(({ outcome }) => !isKept(outcome))] as const)
    .filter(([, open]) => open.length > 0)
    .map(([item, open]) => `${item.id}\n${formatCaseText(item, open, own)}\n`)
    .join('\n');
}

/**
 * Returns the page with its packed entries, but without the style sheet, the script and the content security policy, and with line breaks before
 * most block elements.
 */
function simplifyPage(own: Report): string {
  return unpackPage(joinReportText(html(own)))
    .replace(/<(style|script)>.*?<\/\1>/gs, '')
    .replace(/content="default-src[^"]*"/, 'content=""')
    .replace(/(?=<(?:section|details|li|tr|dt|h\d|p|nav|main|figure)\b)/g, '\n');
}
