import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../../runner/report/report.ts';
import { joinReportText } from '../../../runner/reporters/reporter.ts';
import {
  expandAll,
  findAccessibilityProblems,
  findForeignParts,
  measureOverflow,
  openReport,
  useBrowser,
} from '../../support/browser.ts';
import { html } from '../../support/reporters.ts';
import { createSampleReport, withRarities } from '../../support/sample-report.ts';
import { excerptOf, runAgainstReference, runBare, runUnreachable } from './reports.ts';

const desk = { width: 1440, height: 900 };
const phone = { width: 360, height: 740 };
const truncated = 'auth/rejected-key/operation=models/header=bearer/key=truncated';
const reports = new Map<string, Report>();
const browser = useBrowser();
beforeAll(async () => {
  reports.set('faulty', await runAgainstReference('faulty'));
  // Small pages open faster.
  const part = ['auth/*operation=models*', 'models/unlisted/*'];
  reports.set('small', await runAgainstReference('faulty', part));
  reports.set('conforming', await runAgainstReference('conforming', part));
  reports.set('bare', await runBare([...part, 'balance/*', 'streams/*']));
  reports.set('unreachable', await runUnreachable());
  reports.set('rare', withRarities(await createSampleReport()));
}, 120_000);

function reportOf(name: string): Report {
  const report = reports.get(name);
  if (!report) throw new Error(`The report "${name}" does not exist.`);
  return report;
}
const shownEntries = (page: Page, kind: string): Promise<number> =>
  page.locator(`details.${kind}:not([hidden])`).count();

test('the page of a run with about 2,700 cases has less than 2 MB', () => {
  expect(reportOf('faulty').cases.length).toBeGreaterThan(2_600);
  expect(Buffer.byteLength(joinReportText(html(reportOf('faulty'))))).toBeLessThan(2_000_000);
});

const dark = { colorScheme: 'dark', viewport: desk } as const;
const light = { colorScheme: 'light', viewport: phone } as const;

// A check of accessibility takes seconds, and most parts of the pages are alike, so only one page is checked twice.
describe.each([
  ['faulty', [dark, light]],
  ['conforming', [dark]],
  ['bare', [light]],
  ['unreachable', [dark]],
  ['rare', [light]],
] as const)('the page of a %s run', (name, looks) => {
  test('loads nothing, causes no errors, has no foreign elements and fits a phone', async () => {
    const { page, complaints } = await openReport(browser(), reportOf(name), { viewport: phone });
    expect(await measureOverflow(page)).toBe(0);
    await expandAll(page);
    expect(await measureOverflow(page)).toBe(0);
    expect(await complaints()).toEqual([]);
    expect(await findForeignParts(page)).toEqual([]);
    await page.context().close();
  });

  test.each(looks)('is accessible in $colorScheme with all entries open', async (look) => {
    const { page } = await openReport(browser(), excerptOf(reportOf(name)), look);
    await expandAll(page);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.context().close();
  });
});

describe('a page', () => {
  test('begins with the verdict and the counts of the report', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain(
      'Violates the specification',
    );
    const { planned, violates } = reportOf('small').summary.cases;
    const coverage = page.getByRole('region', { name: 'Coverage' });
    expect(await coverage.textContent()).toContain(`${planned} cases planned`);
    expect(await coverage.textContent()).toContain(`${violates} failed`);
    await page.context().close();
  });

  test('contains every requirement and every case once, and has no broken links', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'));
    await expandAll(page);
    const report = reportOf('faulty');
    expect(await shownEntries(page, 'requirement')).toBe(report.requirements.length);
    expect(await shownEntries(page, 'case')).toBe(report.cases.length);
    const ids: string[] = await page.evaluate(`[...document.querySelectorAll('[id]')].map(({ id }) => id)`);
    expect(new Set(ids).size).toBe(ids.length);
    const dead: string[] = await page.evaluate(`[...document.querySelectorAll('a')]
      .map((link) => link.hash).filter((hash) => !document.getElementById(decodeURIComponent(hash.slice(1))))`);
    expect(dead).toEqual([]);
    await page.context().close();
  });

  test('marks failures in the grid of credentials, with links that work by keyboard', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const cell = page.getByRole('link', { name: '»200 wrongly accepted: Authorization, truncated, models' });
    expect(await cell.textContent()).toBe('»200');
    await cell.focus();
    await page.keyboard.press('Enter');
    await page.locator(`details.case[open] [id="case/${truncated}"]`).waitFor();
    const focused = await page.evaluate(`document.activeElement.closest('details').querySelector('[id]').id`);
    expect(focused).toBe(`case/${truncated}`);
    await page.context().close();
  });

  test('shows all rows of the grid of credentials, below the names of the operations', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'), { viewport: desk });
    const scroller = page.locator('#matrix .scroller');
    const cutOff = (): Promise<number> =>
      scroller.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    expect(await cutOff()).toBe(0);
    await page.locator('.matrix tbody').last().scrollIntoViewIfNeeded();
    expect(await page.getByRole('columnheader', { name: 'chat' }).isVisible()).toBe(true);
    const [bar, head] = [page.getByRole('search'), page.getByRole('columnheader', { name: 'chat' })];
    const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
    expect(Math.round((await head.boundingBox())?.y ?? 0)).toBe(Math.round(y + height));
    await page.setViewportSize(phone);
    expect(await cutOff()).toBe(0);
    await page.context().close();
  });

  test('names each place of a row that opens', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'));
    const members = page.locator('.matrix .member:visible');
    expect(await members.count()).toBe(0);
    await page.locator('.matrix .place summary').first().click();
    expect(await members.locator('.place').allTextContents()).toContain('ocp-apim-subscription-key');
    await page.context().close();
  });

  test('compares expected and received values and marks the received values in the response', async () => {
    const { page } = await openReport(browser(), reportOf('small'), { hash: `#case/${truncated}` });
    const body = page.locator(`[id="case/${truncated}"]`);
    await body.waitFor();
    const rows = await body.locator('table tbody tr').allTextContents();
    expect(rows).toEqual(['status401200', 'error.typepresentmissing']);
    const marked = await body.locator('mark').allTextContents();
    expect(marked).toEqual(['HTTP 200\n✗ expected 401\n', '{\n✗ error.type is missing\n']);
    await page.context().close();
  });

  test.each([
    ['models/unlisted', '"type"', /^ *"type": "model_not_supported",?\n✗ expected model_not_available\n$/],
    [
      'model-error/trace-header-present',
      'x-trace-id',
      /^\(no header x-trace-id\)\n✗ the header x-trace-id is missing\n$/,
    ],
  ])('marks the violation of %s at its line', async (requirement, place, marked) => {
    const { page } = await openReport(browser(), reportOf('faulty'), { hash: `#requirement/${requirement}` });
    await page.locator(`[id="requirement/${requirement}"] .finding a`).first().click();
    const mark = page.locator('details.case[open] mark', { hasText: place }).first();
    expect(await mark.textContent()).toMatch(marked);
    await page.context().close();
  });
});

describe('the list of findings', () => {
  test('has the most severe cause first, with what was expected and received', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const titles = await page.locator('#findings .cause h3').allTextContents();
    expect(titles[0]).toBe('The first half of a key is accepted on models');
    const first = page.locator('#findings .cause').first();
    expect(await first.locator('.example').textContent()).toMatch(
      /401 invalid_bearer_token.*200 \{"object":"list"/,
    );
    await first.getByText('Curl line and response').click();
    expect(await first.locator('mark').first().textContent()).toBe('HTTP 200\n✗ expected 401\n');
    await page.context().close();
  });

  test('of a requirement contains the received body', async () => {
    const { page } = await openReport(browser(), reportOf('small'), {
      hash: '#requirement/auth/bad-bearer-token',
    });
    const entry = page.locator('[id="requirement/auth/bad-bearer-token"]');
    await entry.waitFor();
    expect(await entry.locator('.example').first().textContent()).toContain('200 {"object":"list"');
    await page.context().close();
  });
});

test.each([true, false])(
  'a row of several keys opens to them by keyboard (scripts: %s)',
  async (javaScriptEnabled) => {
    const { page } = await openReport(browser(), reportOf('small'), { javaScriptEnabled });
    const members = page.locator('.matrix .member');
    expect(await members.locator('visible=true').count()).toBe(0);
    await page.locator('.matrix summary', { hasText: 'the other' }).first().focus();
    await page.keyboard.press('Enter');
    expect(await members.locator('visible=true').count()).toBeGreaterThan(10);
    const extended = page.getByRole('link', { name: '✓401 correct: Authorization, extended, models' });
    expect(await extended.isVisible()).toBe(true);
    await page.context().close();
  },
);

test('on a phone, a cause leads back to the list', async () => {
  const { page } = await openReport(browser(), reportOf('faulty'), { viewport: phone });
  await page.locator('.causes nav a').nth(2).click();
  const list = page.getByRole('navigation', { name: /^Causes/ });
  expect((await list.boundingBox())?.y).toBeLessThan(0);
  await page.getByRole('link', { name: 'All causes' }).click();
  expect((await list.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await page.context().close();
});

test('on a phone, the grid of credentials has a hint to scroll, and a narrow first column', async () => {
  const { page } = await openReport(browser(), reportOf('faulty'), { viewport: phone });
  expect(await page.getByText(/^Scroll sideways for all operations/).isVisible()).toBe(true);
  const header = await page.locator('.matrix tbody th').first().boundingBox();
  expect(header?.width).toBeLessThan(110);
  await page.context().close();
});

describe('a link into the page', () => {
  test.each([`case/${truncated}`, 'requirement/auth/bad-bearer-token'])(
    'opens %s and scrolls to the entry',
    async (id) => {
      const { page } = await openReport(browser(), reportOf('small'), { hash: `#${id}` });
      await page.locator(`[id="${id}"]`).waitFor();
      const top: number = await page.evaluate(`document.getElementById('${id}').getBoundingClientRect().top`);
      expect(top).toBeGreaterThan(0);
      expect(top).toBeLessThan(400);
      await page.context().close();
    },
  );
  test('selects a cause', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'));
    const link = page
      .getByRole('navigation', { name: /^Causes/ })
      .getByRole('link')
      .nth(2);
    await link.click();
    expect(await link.getAttribute('aria-current')).toBe('true');
    const shown = page.locator('.cause:visible');
    expect(await shown.count()).toBe(1);
    expect(`#${await shown.getAttribute('id')}`).toBe(await link.getAttribute('href'));
    expect(await shown.locator('h3 a').getAttribute('href')).toBe(await link.getAttribute('href'));
    const bar = await page.getByRole('search').boundingBox();
    expect((await shown.boundingBox())?.y).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0));
    await page.context().close();
  });
  test('shows the selected cause in the list, and the causes before and after it', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'), {
      viewport: { width: 1280, height: 420 },
    });
    const links = page.getByRole('navigation', { name: /^Causes/ }).getByRole('link');
    const count = await links.count();
    const last = links.last();
    await page.evaluate(`location.hash = '${await last.getAttribute('href')}'`);
    const isInList = (): Promise<boolean> =>
      last.evaluate((link) => {
        const [inner, outer] = [link, link.closest('nav')].map((one) => one?.getBoundingClientRect());
        return Math.round(inner?.bottom ?? 0) <= Math.round(outer?.bottom ?? 0);
      });
    await expect.poll(isInList).toBe(true);
    const place = page.locator('.steps .quiet');
    expect(await place.textContent()).toBe(`${count} of ${count}`);
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous' }).click();
    expect(await place.textContent()).toBe(`${count - 1} of ${count}`);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.keyboard.press('j');
    expect(await place.textContent()).toBe(`${count - 2} of ${count}`);
    expect(new URL(page.url()).hash).toBe(await links.nth(count - 3).getAttribute('href'));
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await links.nth(count - 2).evaluate((link) => link === document.activeElement)).toBe(true);
    await page.context().close();
  });
  test('opens its target although a filter hides the target', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    await page.getByRole('radio', { name: 'passed' }).check();
    await page
      .getByRole('status')
      .filter({ hasText: / cases$/ })
      .waitFor();
    expect(await page.locator('.cause:visible').count()).toBe(0);
    await page.evaluate(`location.hash = '#case/${truncated}'`);
    await page.locator(`[id="case/${truncated}"]`).waitFor();
    expect(await page.getByRole('status').textContent()).toBe('');
    expect(await page.locator('.cause:visible').count()).toBe(1);
    await page.context().close();
  });
});

test('without scripts, a page shows all causes with their evidence, and says what is missing', async () => {
  const { page } = await openReport(browser(), reportOf('small'), { javaScriptEnabled: false });
  expect(await page.locator('.cause:visible .example:visible').count()).toBe(
    await page.locator('.cause').count(),
  );
  expect(await page.getByRole('search').count()).toBe(0);
  expect(await page.getByText('shown by a script').isVisible()).toBe(true);
  await page.context().close();
});

describe('the filter', () => {
  test('shows the entries with one outcome, and their number', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const { cases, requirements } = reportOf('small').summary;
    await page.getByRole('radio', { name: 'failed' }).focus();
    await page.keyboard.press('Space');
    await page
      .getByRole('status')
      .filter({
        hasText: `${requirements.violates} of ${requirements.planned} requirements, ${cases.violates} of ${cases.planned} cases`,
      })
      .waitFor();
    await page.context().close();
  });
  test('leaves no heading over nothing', async () => {
    const { page } = await openReport(browser(), reportOf('faulty'));
    const headings = async (): Promise<string[]> =>
      page.locator('main :is(h2, h3):visible').allTextContents();
    const before = await headings();
    await page.getByRole('searchbox').fill('no-such-word');
    await page.getByRole('status').filter({ hasText: /^0 of/ }).waitFor();
    expect((await headings()).slice(2)).toEqual(['Findings']);
    expect(await page.getByText('No cause fits.').isVisible()).toBe(true);
    expect(await page.locator('.cause:visible').count()).toBe(0);
    await page.evaluate(`location.hash = '#matrix'`);
    await page.locator('#matrix').waitFor();
    expect(await headings()).toEqual(before);
    await page.context().close();
  });
  test('finds a status, and what a word is not in', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const found = async (text: string): Promise<string> => {
      await page.getByRole('searchbox').fill(text);
      const shown = page.getByRole('status').filter({ hasText: / cases$/ });
      await shown.waitFor();
      return /(\d+) of \d+ cases/.exec((await shown.textContent()) ?? '')?.[1] ?? '';
    };
    const served = reportOf('small').cases.filter(({ exchanges }) =>
      exchanges.some(({ response }) => response?.status === 200),
    );
    expect(await found('status:200')).toBe(String(served.length));
    await page.keyboard.press('Escape');
    const total = reportOf('small').cases.length;
    expect(await found('-status=200')).toBe(String(total - served.length));
    await page.context().close();
  });
  test('finds the text of findings, in requirements and cases', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    await page.getByRole('searchbox').fill('got 200');
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ of \d+ causes, [1-9]\d* of \d+ requirements, [1-9]\d* of \d+ cases$/ })
      .waitFor();
    await page.context().close();
  });
  test('is in the address, which a link to an entry replaces', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const height = (): Promise<number | undefined> =>
      page
        .getByRole('search')
        .boundingBox()
        .then((box) => box?.height);
    const before = await height();
    await page.getByRole('searchbox').fill('key=truncated');
    await page.getByRole('radio', { name: 'failed' }).check();
    const found = page.getByRole('status').filter({ hasText: / cases$/ });
    await found.waitFor();
    expect(await height()).toBe(before);
    expect(new URL(page.url()).hash).toBe('#search=key%3Dtruncated&outcome=violates');
    const text = await found.textContent();
    await page.evaluate(`location.hash = '#case/${truncated}'`);
    await page.locator(`[id="case/${truncated}"]`).waitFor();
    await page.goBack();
    await found.filter({ hasText: text ?? '' }).waitFor();
    await page.context().close();
  });
  test('is that of the address', async () => {
    const { page } = await openReport(browser(), reportOf('small'), { hash: '#search=key%3Dtruncated' });
    await page
      .getByRole('status')
      .filter({ hasText: / cases$/ })
      .waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('key=truncated');
    await page.getByRole('searchbox').press('Escape');
    await page.getByRole('status').filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    expect(new URL(page.url()).hash).toBe('');
    await page.context().close();
  });
  test('finds a trace ID by keyboard, and is cleared with Escape', async () => {
    const { page } = await openReport(browser(), reportOf('small'));
    const found = reportOf('small').cases.find(({ id }) => id === truncated);
    await page.keyboard.press('/');
    await page.keyboard.type(found?.exchanges[0]?.traceId ?? 'no trace id');
    // After a pause while typing, the page filters by an incomplete text. Only the whole text matches one case.
    await page
      .getByRole('status')
      .filter({ hasText: /, 1 of \d+ cases$/ })
      .waitFor();
    expect(await shownEntries(page, 'case')).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('status').filter({ hasText: /^$/ }).waitFor({ state: 'attached' });
    await page.context().close();
  });
});

test('all groups of a large report open at once; the entries only if they are few', async () => {
  const { page } = await openReport(browser(), reportOf('faulty'));
  await page.getByRole('button', { name: 'Expand all' }).click();
  await expect.poll(() => shownEntries(page, 'case')).toBe(reportOf('faulty').cases.length);
  expect(await page.locator('details.entry[open]').count()).toBe(0);
  await page.getByRole('searchbox').fill('key=truncated');
  await page
    .getByRole('status')
    .filter({ hasText: / cases$/ })
    .waitFor();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.locator('.group:not([hidden]) details.entry[open]').first().waitFor();
  await page.context().close();
});

test('on a phone, the list of causes begins with the worst, so that their evidence is near', async () => {
  const { page } = await openReport(browser(), reportOf('faulty'), { viewport: phone });
  const links = page.getByRole('navigation', { name: /^Causes/ }).getByRole('link');
  const count = await page.locator('.cause').count();
  expect(await links.count()).toBe(3);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: `All ${count} causes` }).click();
  expect(await links.count()).toBe(count);
  await page.context().close();
});

test('the copied curl line is equal to the curl line in the report', async () => {
  const { page } = await openReport(browser(), reportOf('small'), {
    hash: `#case/${truncated}`,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const button = page.locator(`[id="case/${truncated}"]`).getByRole('button', { name: 'Copy curl' });
  await button.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  const found = reportOf('small').cases.find(({ id }) => id === truncated);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(found?.exchanges[0]?.curl);
  await page.context().close();
});

test('a cause is copied as Markdown', async () => {
  const { page } = await openReport(browser(), reportOf('small'), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByRole('button', { name: 'Copy for an issue' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^#### The first half of a key is accepted on `models`\n[\s\S]*curl [\s\S]*\n\nTarget: `http:.*`, tested by `.* \d.*` on \d{4}-\d\d-\d\d\.$/,
  );
  await page.context().close();
});

test('a printed page shows all causes with their evidence, and no navigation', async () => {
  const { page } = await openReport(browser(), excerptOf(reportOf('small')));
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.cause:visible').count()).toBe(await page.locator('.cause').count());
  expect(await page.getByRole('navigation').count()).toBe(0);
  expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
  await page.context().close();
});
