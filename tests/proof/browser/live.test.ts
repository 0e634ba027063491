import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findAccessibilityProblems, measureOverflow, useBrowser } from '../../support/browser.ts';
import {
  badKey,
  chat,
  type RunningProxyCommand,
  startGateway,
  startProxy,
  unifiedErrorFault,
} from '../../support/proxy-command.ts';
import { connectTo } from '../../support/raw-http.ts';

const browser = useBrowser();
const key = 'sk-valid-0123456789abcdefghijkl';

/** Opens the live page of a proxy to a faulty gateway, after a call with a bad key and a call with the valid key. */
async function openLive(
  viewport = { width: 1600, height: 900 },
  colorScheme: 'light' | 'dark' = 'light',
  fault = unifiedErrorFault,
  body: object = {},
): Promise<{
  readonly page: Page;
  readonly proxy: RunningProxyCommand;
  readonly complaints: readonly string[];
}> {
  const gateway = await startGateway(fault);
  const proxy = await startProxy(gateway.url);
  await chat(proxy, badKey);
  await chat(proxy, gateway.profile.keys.valid, body);
  const context = await browser().newContext({ viewport, colorScheme });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(proxy.control);
  await page.locator('#rows tr').nth(1).waitFor();
  return { page, proxy, complaints };
}

const rowsOf = (page: Page): Promise<string[]> => page.locator('#rows tr').allTextContents();

describe('the live page', () => {
  test('shows current exchanges, the newest first, with their outcome, type and client', async () => {
    const { page, proxy, complaints } = await openLive();
    const rows = await rowsOf(page);
    expect(rows[0]).toMatch(/✓ passedPOST \/v1\/chat\/completions200gpt-referenceOpenAI\/JS/);
    expect(rows[1]).toMatch(/✗ failedPOST \/v1\/chat\/completions401invalid_api_keygpt-referenceOpenAI\/JS/);
    await chat(proxy, badKey);
    await page.locator('#rows tr').nth(2).waitFor();
    expect(await page.locator('#counts').innerText()).toMatch(/3 exchanges[\s\S]*2 failed[\s\S]*1 passed/);
    expect(complaints).toEqual([]);
  });

  test('shows a duty that a client violates, in the findings and next to the exchange', async () => {
    const { page, proxy } = await openLive();
    await fetch(`${proxy.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${badKey}`, 'x-api-key': badKey, 'content-type': 'application/json' },
      body: '{}',
    });
    const finding = page.locator('#findings button', { hasText: 'client/one-header' });
    await finding.click();
    const rows = await rowsOf(page);
    expect([rows.length, rows[0]]).toEqual([1, expect.stringContaining('✗ client failed')]);
    expect(await page.locator('#counts').innerText()).toContain('1 client failed');
    await page.locator('#rows tr button').first().click();
    await page.locator('#detail').getByText('The request has 2 credentials instead of 1.').waitFor();
    expect(await page.locator('#detail h3').innerText()).toBe('POST /v1/chat/completions');
    expect(await page.locator('#detail').innerText()).toMatch(/checks? of the gateway.* · client: 1 failed/);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.locator('#outcome').selectOption('client-violates');
    await expect.poll(() => rowsOf(page)).toHaveLength(1);
  });

  test('shows a server error in its colour, and counts it, whatever its outcome', async () => {
    const { page } = await openLive(undefined, undefined, 'chat-body/content-null-crash', {
      messages: [{ role: 'user', content: null }],
    });
    expect(await page.locator('#counts').innerText()).toContain('1 server errors (5xx)');
    await page.locator('#outcome').selectOption('server-error');
    await expect.poll(() => rowsOf(page)).toHaveLength(1);
    expect(await page.locator('#rows .status.violates').innerText()).toBe('500');
  });

  test('has exchanges on the first screen, to which a finding leads', async () => {
    const { page, proxy } = await openLive({ width: 1280, height: 800 });
    for (let count = 0; count < 30; count += 1) await chat(proxy, badKey);
    await page.locator('#rows tr').nth(31).waitFor();
    const topOf = async (selector: string): Promise<number> =>
      (await page.locator(selector).boundingBox())?.y ?? -1;
    expect(await topOf('#rows tr:nth-child(5)')).toBeLessThan(750);
    await page.locator('#findings button', { hasText: 'auth/bad-bearer-token' }).click();
    const bar = await page.locator('.controls').boundingBox();
    expect(await topOf('#exchanges')).toBeGreaterThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
    expect(await topOf('#exchanges')).toBeLessThan(200);
    const chip = page.locator('#chip:focus', { hasText: 'auth/bad-bearer-token' });
    await chip.waitFor();
    expect(await page.locator('#shown').innerText()).toBe('31 of 32 exchanges');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#shown').innerText()).toBe('32 exchanges');
  });

  test('shows findings with their sentence, and filters by a finding', async () => {
    const { page } = await openLive();
    const finding = page.locator('#findings button', { hasText: 'auth/bad-bearer-token' });
    expect(await finding.innerText()).toMatch(/1×[\s\S]*[Tt]he gateway must/);
    await finding.click();
    expect(await rowsOf(page)).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear filter' }).click();
    expect(await rowsOf(page)).toHaveLength(2);
  });

  test.each<[string, string, number]>([
    ['#outcome', 'violates', 1],
    ['#outcome', 'refused', 0],
    ['#operation', 'chat', 2],
  ])('filters by %s = %s', async (selector, value, count) => {
    const { page } = await openLive();
    await page.locator(selector).selectOption(value);
    await expect.poll(() => rowsOf(page)).toHaveLength(count);
  });

  test('shows both sides of the selected exchange with the failed requirement, without keys', async () => {
    const { page } = await openLive();
    await page.locator('#rows button').nth(1).click();
    const detail = page.locator('#detail');
    await expect
      .poll(() => detail.innerText())
      .toMatch(/auth\/bad-bearer-token[\s\S]*Request[\s\S]*Response/);
    expect(await page.content()).not.toMatch(new RegExp(`${badKey}|${key}`));
  });

  test('shows requests that the proxy refused', async () => {
    const { page, proxy } = await openLive();
    const client = connectTo({ port: Number(new URL(proxy.url).port) });
    client.send('NOT HTTP\r\n\r\n');
    await page.locator('#rows tr', { hasText: 'refused by the proxy' }).waitFor();
    await page.locator('#outcome').selectOption('refused');
    await expect.poll(() => rowsOf(page)).toHaveLength(1);
  });

  test.each([
    ['light', { width: 1600, height: 900 }],
    ['dark', { width: 360, height: 740 }],
  ] as const)('is accessible and fits the window in %s', async (scheme, viewport) => {
    const { page } = await openLive(viewport, scheme);
    await page.locator('#rows button').nth(1).click();
    await page.locator('#detail .panes').waitFor();
    expect(await measureOverflow(page)).toBe(0);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });
});
