import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { source as axe } from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Report } from '../../runner/report/report.ts';
import { html } from '../../runner/reporters/html/page.tsx';
import { scratch } from './command.ts';
import { chromiumPath, isMissing } from './tools.ts';

/** Starts one browser for all tests of a file, and returns it when called. Without Chromium, the tests are skipped. */
export function useBrowser(): () => Browser {
  const skipped = isMissing('chromium');
  let browser: Browser | undefined;
  beforeAll(async () => {
    // Root can't have a sandbox, and all pages are our own.
    if (!skipped) browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  });
  beforeEach(({ skip }) => skip(skipped, 'Chromium is not installed.'));
  afterAll(() => browser?.close());
  return () => {
    if (!browser) throw new Error('The browser was not started.');
    return browser;
  };
}

/** A report in a window of its own, and everything in it that a quiet page never has. */
export interface OpenReport {
  readonly page: Page;
  readonly url: string;
  /** Messages of the console, errors, dialogs, requests but the page itself, and violations of its policy. */
  readonly complaints: () => Promise<string[]>;
}

type OpenOptions = BrowserContextOptions & { readonly hash?: string };

/** Writes the report as a file and opens it as a person does. */
export function openReport(browser: Browser, report: Report, options: OpenOptions = {}): Promise<OpenReport> {
  return openDocument(browser, html(report), options);
}

/** The same of a document that was made of something else. */
export async function openDocument(
  browser: Browser,
  text: string,
  { hash = '', ...options }: OpenOptions = {},
): Promise<OpenReport> {
  const file = join(scratch(), 'report.html');
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

/** What axe finds to be inaccessible on the page as it is now. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ target }) => target).join(' ')))`);
}

/**
 * What is not of a page's own making, in the open page, or in what the browser's own parser makes of a text: other
 * elements, code and style in attributes, links elsewhere.
 */
export function foreignParts(page: Page, text?: string): Promise<string[]> {
  const root =
    text === undefined ? 'document' : `new DOMParser().parseFromString(${JSON.stringify(text)}, 'text/html')`;
  return page.evaluate(`(() => {
    const root = ${root};
    const elements = [...root.querySelectorAll('*')];
    return [
      ...elements.filter((element) => element.matches('img, iframe, object, embed, form, base, link, audio, video, a:not([href^="#"])')),
      ...elements.filter(({ attributes }) => [...attributes].some(({ name }) => /^on|^style$|^src/.test(name))),
      ...[...root.querySelectorAll('script, style')].slice(2),
    ].map(({ outerHTML }) => outerHTML.slice(0, 200));
  })()`);
}

/** By how many pixels the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}
