import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { Report } from '../../runner/report/report.ts';
import { joinReportText } from '../../runner/reporters/reporter.ts';
import { createScratchFolder } from './command.ts';
import { html } from './reporters.ts';
import { chromiumPath, isToolMissing } from './tools.ts';

/**
 * Starts one browser for all tests of a file. Returns a function that returns the browser. Without Chromium, the tests
 * are skipped.
 */
export function useBrowser(): () => Browser {
  const skipped = isToolMissing('chromium');
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Chromium cannot use its sandbox as root, and all pages come from this project.
    if (!skipped) browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  });
  beforeEach(({ skip }) => skip(skipped, 'Chromium is not installed.'));
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser was not started.');
    return browser;
  };
}

/** A report that is open in a new browser window. */
export interface OpenReport {
  readonly page: Page;
  readonly url: string;
  /**
   * Returns console messages, errors, dialogs, further requests, violations of the content security policy, and a
   * complaint if hostile code ran.
   */
  readonly complaints: () => Promise<string[]>;
}

type OpenOptions = BrowserContextOptions & { readonly hash?: string };

// A large page takes about a second to render.
const documents = new WeakMap<Report, string>();

/** Writes the HTML report to a file, and opens the file. Renders each report only once. */
export function openReport(browser: Browser, report: Report, options: OpenOptions = {}): Promise<OpenReport> {
  const document = documents.get(report) ?? joinReportText(html(report));
  documents.set(report, document);
  return openDocument(browser, document, options);
}

/** Writes an HTML document to a file, and opens the file. */
export async function openDocument(
  browser: Browser,
  text: string,
  { hash = '', ...options }: OpenOptions = {},
): Promise<OpenReport> {
  const file = join(createScratchFolder(), 'report.html');
  writeFileSync(file, text);
  const url = pathToFileURL(file).href;
  const context = await browser.newContext(options);
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', ({ violatedDirective }) => (window.broken ??= []).push(violatedDirective))`,
  );
  const page = await context.newPage();
  const seen: string[] = [];
  page.on('console', (message) => seen.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url) seen.push(`request: ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url + hash);
  const complaints = async (): Promise<string[]> => {
    const broken: string[] = await page.evaluate('window.broken ?? []');
    const ran: string[] = await page.evaluate('window.hostile ? ["hostile code ran"] : []');
    return [...seen, ...broken.map((directive) => `policy: ${directive}`), ...ran];
  };
  return { page, url, complaints };
}

/** Opens all groups and entries of a report. */
export async function expandAll(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Expand all' }).click();
  const isExpanded = (): Promise<boolean> =>
    page.evaluate(`[...document.querySelectorAll('.group[data-kind]')].every((group) =>
      group.open && group.querySelector('.entry') && !group.querySelector('.entry:not([open])'))`);
  await expect.poll(isExpanded, { timeout: 30_000 }).toBe(true);
}

/** Returns the accessibility problems that axe finds on the page in its current state. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target }) => target).join(' ')))`);
}

/**
 * Finds elements and attributes that the HTML report never contains, such as images, event handlers, and external links
 * that don't show where they lead. Searches the open page or, if given, a text that the browser parses as HTML. Returns the first 200 characters of each
 * element.
 */
export function findForeignParts(page: Page, text?: string): Promise<string[]> {
  const root =
    text === undefined ? 'document' : `new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/html')`;
  return page.evaluate(`(() => {
    const root = ${root};
    const elements = [...root.querySelectorAll('*')];
    const showsItsUrl = ({ textContent, attributes }) =>
      /^https?:/.test(textContent) && attributes.href?.value === textContent && attributes.rel?.value === 'noreferrer';
    return [
      ...elements.filter((element) => element.matches('img, iframe, object, embed, form, base, link, audio, video') || (element.matches('a:not([href^="#"])') && !showsItsUrl(element))),
      ...elements.filter(({ attributes }) => [...attributes].some(({ name }) => /^on|^style$|^src/.test(name))),
      ...[...root.querySelectorAll('script:not([type="text/x-packed"]), style')].slice(2),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200));
  })()`);
}

/** Returns the number of pixels by which the page is wider than its window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
