import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import {
  expandAll,
  findForeignParts,
  measureOverflow,
  openReport,
  useBrowser,
} from '../../support/browser.ts';
import { html } from '../../support/reporters.ts';
import { createSampleReport, withHostileTexts, withRarities } from '../../support/sample-report.ts';
import { unpackPage } from '../../support/unpack-page.ts';
import { runAgainstHostile } from './reports.ts';

const browser = useBrowser();
let hostile: Report;
let part: Report;
let small: Report;
beforeAll(async () => {
  hostile = await runAgainstHostile();
  part = await runAgainstHostile([
    'auth/*operation=models*',
    'auth/*operation=chat*',
    'requests/*operation=chat*',
  ]);
  small = withRarities(await createSampleReport());
}, 120_000);

describe.each([
  ['desktop', { width: 1280, height: 900 }],
  ['phone', { width: 360, height: 740 }],
])('texts from a hostile gateway, on a %s,', (_, viewport) => {
  test('do not run code, load anything or break the layout', async () => {
    expect(part.cases.some(({ outcome }) => outcome === 'violates')).toBe(true);
    const { page, complaints } = await openReport(browser(), part, { viewport });
    await expandAll(page);
    expect(await complaints()).toEqual([]);
    expect(await findForeignParts(page)).toEqual([]);
    expect(await measureOverflow(page)).toBe(0);
    await page.context().close();
  });
});

test('the page of a hostile gateway with large responses has less than 4 MB', () => {
  expect(Buffer.byteLength(joinReportText(html(hostile)))).toBeLessThan(4e6);
});

test('a hostile text anywhere in a report stays text', async () => {
  const { page } = await openReport(browser(), small);
  await fc.assert(
    fc.asyncProperty(withHostileTexts(small), async (report) => {
      const made = unpackPage(joinReportText(html(report)));
      // The page is only parsed, not opened, so that the content security policy cannot hide missing escaping.
      expect(await findForeignParts(page, made)).toEqual([]);
      expect(made).not.toMatch(unseen);
    }),
    { numRuns: 12 },
  );
  await page.context().close();
}, 120_000);

/** Characters that change the text direction, lone surrogates, and control characters except tabs and line feeds. */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain these
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/u;
