import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { createReferenceServer, faults } from '../../../reference-server/index.ts';
import { useBrowser } from '../../support/browser.ts';
import { check, type FinishedCheck, listFailedIds } from '../../support/check-command.ts';
import { createScratchFolder } from '../../support/command.ts';
import { type App, callFromPage, openApp } from './app.ts';

const browser = useBrowser();

type Har = Omit<NonNullable<BrowserContextOptions['recordHar']>, 'path'>;
interface CheckedPage extends FinishedCheck {
  readonly har: string;
  readonly app: App;
}

/** Records a page that calls a gateway, optionally with a fault, and runs `check` on the recording. */
async function checkPage({
  fault,
  har = { content: 'embed' },
  calls = 'its own origin',
  flags = () => [],
}: {
  readonly fault?: string;
  readonly har?: Har;
  readonly calls?: 'its own origin' | 'another origin' | 'without CORS';
  readonly flags?: (app: App) => readonly string[];
}): Promise<CheckedPage> {
  const gateway = await createReferenceServer(faults.find(({ id }) => id === fault)?.setup());
  const app = await openApp(gateway);
  const cwd = createScratchFolder();
  const context = await browser().newContext({ recordHar: { ...har, path: join(cwd, 'page.har') } });
  const page = await context.newPage();
  await page.goto(app.url);
  const baseUrls = { 'its own origin': app.url, 'another origin': app.otherUrl, 'without CORS': gateway.url };
  const called = callFromPage(page, baseUrls[calls], gateway.profile.keys.valid);
  // The reference gateway has no CORS headers, so that pages of other origins cannot read its responses.
  if (calls === 'without CORS') await expect(called).rejects.toThrow('Failed to fetch');
  else await called;
  await context.close();
  await Promise.all([app.close(), gateway.close()]);
  const path = join(cwd, 'page.har');
  const checked = await check({ files: [path], flags: flags(app) });
  return { ...checked, har: readFileSync(path, 'utf8'), app };
}

describe('check judges a page that Playwright recorded', () => {
  test.each<{ about: string; har: Har; judged: number; requirements: number }>([
    { about: 'with bodies', har: { content: 'embed' }, judged: 7, requirements: 30 },
    { about: 'for replay', har: { content: 'embed', mode: 'minimal' }, judged: 7, requirements: 30 },
    { about: 'without bodies', har: { content: 'omit' }, judged: 3, requirements: 4 },
    {
      about: 'for replay, without bodies',
      har: { content: 'omit', mode: 'minimal' },
      judged: 3,
      requirements: 4,
    },
  ])('$about, of a conforming gateway, without violations', async ({ har, judged, requirements }) => {
    const { code, stdout, report } = await checkPage({ har });
    expect(stdout).toContain('✓ CONFORMS');
    expect(code).toBe(0);
    expect(listFailedIds(report)).toEqual([]);
    expect(report.recording).toMatchObject({ exchanges: 8, judged });
    expect(report.requirements.length).toBeGreaterThanOrEqual(requirements);
    const duties = report.recording?.client?.duties.filter((duty) => duty.broken > 0);
    expect(duties).toEqual([]);
  });

  test('that calls another origin, without violations because of preflights', async () => {
    const { code, report } = await checkPage({ calls: 'another origin' });
    expect(listFailedIds(report)).toEqual([]);
    expect(report.recording?.judged).toBe(7);
    expect(code).toBe(0);
  });

  test('whose responses the browser blocked, without violations because of the missing responses', async () => {
    const { code, stdout } = await checkPage({ calls: 'without CORS' });
    expect(stdout).toContain('No response was recorded.');
    expect(stdout).not.toContain('✗');
    expect(code).toBe(3);
  });

  test('only below the given base URL', async () => {
    const right = await checkPage({ flags: ({ url }) => ['--base-url', url] });
    expect(right.report.target.baseUrl).toBe(right.app.url);
    expect([right.code, right.report.recording?.judged]).toEqual([0, 7]);
    const wrong = await checkPage({ flags: () => ['--base-url', 'http://gateway.example'] });
    expect([wrong.code, wrong.report.recording?.judged]).toEqual([3, 0]);
  });

  test('without a key in the report', async () => {
    const { stdout, stderr, report, har } = await checkPage({ fault: 'error-field/code-string' });
    const key = 'sk-Reference-Valid-0123456789abcdefghijKLMNOP';
    expect(har).toContain(key);
    expect([stdout, stderr, JSON.stringify(report)].join()).not.toContain(key);
    expect(stdout).not.toContain('sk-no-one-has-this-key');
  });

  test.each<{ fault: string; violates: string[]; warns: string[] }>([
    { fault: 'error-field/code-string', violates: ['model-error/code-integer'], warns: [] },
    { fault: 'trace/header-missing', violates: ['model-error/trace-header-present'], warns: [] },
    { fault: 'auth-answer/headers-unified-to-x-api-key', violates: ['auth/bad-bearer-token'], warns: [] },
    { fault: 'chat-body/messages-missing-422', violates: ['chat/messages-missing'], warns: [] },
    // The 500 may be transient, and the recording has no retry.
    { fault: 'request-body/malformed-500', violates: [], warns: [] },
    { fault: 'model-list/empty', violates: [], warns: ['models/list-names-good-model'] },
  ])(
    'of a gateway with $fault, with the violations $violates and the warnings $warns',
    async ({ fault, violates, warns }) => {
      const { code, report } = await checkPage({ fault });
      expect(listFailedIds(report)).toEqual([...violates, ...warns]);
      expect(faults.find(({ id }) => id === fault)?.violates).toEqual(
        expect.arrayContaining([...violates, ...warns]),
      );
      expect(code).toBe(violates.length > 0 ? 1 : 0);
    },
  );
});
