import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { GatewayResults } from '../../../runner/compare/gateway-results.ts';
import { gatewaysHtml } from '../../../runner/reporters/gateways/html/page.tsx';
import {
  findAccessibilityProblems,
  measureOverflow,
  openDocument,
  useBrowser,
} from '../../support/browser.ts';
import { createGatewayResults } from '../../support/gateway-results.ts';
import { runAgainstReference } from './reports.ts';

const browser = useBrowser();
let few: GatewayResults;
let many: GatewayResults;
beforeAll(async () => {
  few = createGatewayResults(await runAgainstReference('faulty', ['auth/*operation=models*', 'models/*']));
  const repeated = <Item>(items: readonly Item[]): Item[] => [items, items, items, items].flat();
  many = {
    ...few,
    gateways: repeated(few.gateways),
    requirements: few.requirements.map((item) => ({ ...item, results: repeated(item.results) })),
  };
}, 120_000);

const show = (page: Page, name: string) => page.getByRole('radio', { name }).check({ force: true });
const visibleMembers = (page: Page): Promise<number> => page.locator('.member:visible').count();

describe.each([
  ['on a wide screen', { width: 1920, height: 1080 }, 'light'],
  ['on a desktop', { width: 1280, height: 900 }, 'dark'],
  ['on a phone', { width: 390, height: 844 }, 'dark'],
] as const)('the page of results, %s,', (_, viewport, colorScheme) => {
  test.each([
    ['few', () => few],
    ['many', () => many],
  ])('loads nothing, is accessible and fits, with %s gateways', async (_, results) => {
    const { page, complaints } = await openDocument(browser(), gatewaysHtml(results()), {
      viewport,
      colorScheme,
    });
    for (const name of ['All requirements', 'Violated requirements', 'Sections']) {
      await show(page, name);
      expect(await measureOverflow(page)).toBe(0);
      expect(await findAccessibilityProblems(page)).toEqual([]);
    }
    expect(await complaints()).toEqual([]);
    await page.context().close();
  });

  test('keeps the names of gateways and requirements in view', async () => {
    const { page } = await openDocument(browser(), gatewaysHtml(many), { viewport, colorScheme });
    await show(page, 'All requirements');
    await page.locator('.results tbody tr').last().scrollIntoViewIfNeeded();
    await page.locator('.results').evaluate((table) => table.parentElement?.scrollBy({ left: 5_000 }));
    const scroller = await page.locator('.scroller:has(> .results)').boundingBox();
    const lastName = await page.locator('.results thead th').last().boundingBox();
    const lastRow = await page.locator('.results tbody th').last().boundingBox();
    expect(Math.abs((lastName?.y ?? 0) - (scroller?.y ?? 0))).toBeLessThan(3);
    expect(Math.abs((lastRow?.x ?? 0) - (scroller?.x ?? 0))).toBeLessThan(3);
    await page.context().close();
  });
});

test('a section opens to its requirements, by keyboard and without a script', async () => {
  const { page } = await openDocument(browser(), gatewaysHtml(few));
  expect(await page.locator('script').count()).toBe(0);
  expect(await visibleMembers(page)).toBe(0);
  const summary = page.locator('.fold summary', { hasText: 'Authentication' });
  await summary.focus();
  await page.keyboard.press('Enter');
  const opened = await visibleMembers(page);
  expect(opened).toBeGreaterThan(1);
  expect(opened).toBeLessThan(few.requirements.length);
  await page.keyboard.press('Enter');
  expect(await visibleMembers(page)).toBe(0);
  await page.context().close();
});

test('the choice of rows shows all requirements, or those that a gateway violates', async () => {
  const { page } = await openDocument(browser(), gatewaysHtml(few));
  await page.getByRole('radio', { name: 'Sections' }).focus();
  await page.keyboard.press('ArrowRight');
  expect(await visibleMembers(page)).toBe(few.requirements.length);
  await page.keyboard.press('ArrowRight');
  const violated = few.requirements.filter(({ results }) =>
    results.some(({ outcome }) => outcome === 'violates'),
  );
  expect(await visibleMembers(page)).toBe(violated.length);
  expect(violated.length).toBeGreaterThan(0);
  expect(await page.getByRole('row', { name: /^All / }).isVisible()).toBe(true);
  await page.context().close();
});

test('a cell leads to the requirement in the report of its gateway, and a name to the report', async () => {
  const { page } = await openDocument(browser(), gatewaysHtml(few));
  await show(page, 'Violated requirements');
  const cell = page.locator('td.violates a:visible').first();
  expect(await cell.getAttribute('href')).toMatch(/^brisk-proxy\/0\.10\/report\.html#requirement\/[\w/-]+$/);
  expect(await cell.getAttribute('aria-label')).toMatch(/^violates, [\w/-]+, brisk-proxy 0\.10$/);
  const links = await page
    .locator('.results thead a')
    .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  expect(links).toEqual([
    'brisk-proxy/0.9/report.json',
    'brisk-proxy/0.10/report.html',
    'calm%20%7C%20gateway/report.json',
  ]);
  await page.context().close();
});
