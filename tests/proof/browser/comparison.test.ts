import { beforeAll, describe, expect, test } from 'vitest';
import { compareReports } from '../../../runner/compare/compare-reports.ts';
import { comparisonHtml } from '../../../runner/reporters/comparison/html/page.tsx';
import { comparisonMarkdown } from '../../../runner/reporters/comparison/markdown.ts';
import { comparisonTerminal } from '../../../runner/reporters/comparison/terminal.ts';
import {
  findAccessibilityProblems,
  findForeignParts,
  measureOverflow,
  openDocument,
  useBrowser,
} from '../../support/browser.ts';
import { runAgainstHostile, runAgainstReference, runUnreachable } from './reports.ts';

const browser = useBrowser();
let comparison: ReturnType<typeof compareReports>;
beforeAll(async () => {
  const only = ['auth/*operation=models*', 'auth/*operation=chat*', 'models/unlisted/*'];
  comparison = compareReports([
    { target: 'good', report: await runAgainstReference('conforming', only) },
    { target: 'faulty', report: await runAgainstReference('faulty', only) },
    { target: 'hostile', report: await runAgainstHostile(only) },
    { target: 'down', report: await runUnreachable() },
  ]);
}, 120_000);

describe.each([
  ['on a desktop', { width: 1440, height: 900 }, 'light'],
  ['on a phone', { width: 360, height: 740 }, 'dark'],
] as const)('the page of a comparison, %s,', (_, viewport, colorScheme) => {
  test('loads nothing, has no foreign elements, is accessible and fits', async () => {
    const { page, complaints } = await openDocument(browser(), comparisonHtml(comparison), {
      viewport,
      colorScheme,
    });
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/\d+ requirements differ/);
    expect(await measureOverflow(page)).toBe(0);
    expect(await findForeignParts(page)).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(await complaints()).toEqual([]);
    await page.context().close();
  });
});

test('the first row of the table links to an entry with all targets', async () => {
  const { page } = await openDocument(browser(), comparisonHtml(comparison));
  const [first] = comparison.differing;
  await page.getByRole('link', { name: first?.id ?? '', exact: true }).click();
  const entry = page.getByRole('region', { name: first?.id ?? '', exact: true });
  for (const { name } of comparison.targets) expect(await entry.textContent()).toContain(name);
  await page.context().close();
});

test('on a phone, each requirement is a block, in which the results have the names of their targets', async () => {
  const { page } = await openDocument(browser(), comparisonHtml(comparison), {
    viewport: { width: 390, height: 844 },
  });
  const row = page.locator('#differing tbody tr').first();
  const boxes = await Promise.all([row, row.locator('th')].map((one) => one.boundingBox()));
  expect(boxes[1]?.width).toBeGreaterThan((boxes[0]?.width ?? 0) - 40);
  const names = await row
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content));
  expect(names.join()).toContain('good');
  for (const table of await page.locator('.scroller').all())
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(false);
  await page.context().close();
});

test('the Markdown of a comparison has fewer than 60,000 characters, even with a hostile gateway', () => {
  expect(comparisonMarkdown(comparison).length).toBeLessThan(60_000);
});

test('the text of a comparison contains no control characters', () => {
  const text = comparisonTerminal(comparison, { colour: false, verbose: true, width: 60 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the text must not contain these
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
});
