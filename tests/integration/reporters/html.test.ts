import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findAccessibilityProblems,
  findForeignParts,
  openReport,
  useBrowser,
} from '../../support/browser.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { createSampleReport } from '../../support/sample-report.ts';

test('the command writes the HTML report to a file', async () => {
  const file = join(createScratchFolder(), 'deep', 'report.html');
  const { code } = await runInProcess(['run', '--suite', 'balance', '--reporter', `html=${file}`]);
  expect(code).toBe(0);
  expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>\n<html lang="en">[\s\S]*<\/html>\n$/);
});

// tests/proof/browser opens the pages of full runs and of hostile gateways.
describe('in a browser', () => {
  const browser = useBrowser();

  test('the page opens without errors, foreign elements or accessibility problems', async () => {
    const { page, complaints } = await openReport(browser(), await createSampleReport());
    expect(await page.title()).toMatch(/\S/);
    expect(await complaints()).toEqual([]);
    expect(await findForeignParts(page)).toEqual([]);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });
});
