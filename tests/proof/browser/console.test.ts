import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { consoleSuite } from '../../../runner/cli/commands/console-suite.ts';
import { findAccessibilityProblems, measureOverflow, useBrowser } from '../../support/browser.ts';

const browser = useBrowser();
const messages = [{ role: 'user' as const, content: 'hi' }];
const call = { model: 'gpt-reference', messages };

type OpenedConsole = {
  readonly gateway: ReferenceServer;
  readonly page: Page;
  readonly open: (path: string) => Promise<unknown>;
  readonly client: (apiKey?: string) => OpenAI;
  readonly complaints: readonly string[];
};

/** Starts a gateway with its console, and opens a page of the console. */
async function openConsole(
  path = '',
  options: Parameters<ReturnType<typeof browser>['newContext']>[0] = {},
): Promise<OpenedConsole> {
  const gateway = await createReferenceServer({ console: true, suite: consoleSuite });
  onTestFinished(() => gateway.close());
  const context = await browser().newContext({ viewport: { width: 1440, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => dialog.accept());
  const open = (to: string): Promise<unknown> => page.goto(`${gateway.url}/console${to}`);
  await open(path);
  const client = (apiKey = gateway.profile.keys.valid): OpenAI =>
    new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
  return { gateway, page, open, client, complaints };
}

describe('the console', () => {
  test('creates a key that an SDK can use until its deletion, and shows the key once', async () => {
    const { page, client, open, complaints } = await openConsole('/keys');
    await page.fill('input[name=name]', 'my app');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('#created-key').filter({ hasText: /^sk-/ }).waitFor();
    const apiKey = await page.locator('#created-key').innerText();
    await client(apiKey).chat.completions.create(call);
    await open('/keys');
    const row = page.locator('tr', { hasText: 'my app' });
    expect(await row.innerText()).toMatch(/my app …[\w-]{4}\s+acme\s+valid[\s\S]*\s1\s/);
    expect(await page.content()).not.toContain(apiKey);
    expect(await row.locator('code').innerText()).toBe(`…${apiKey.slice(-4)}`);
    await row.getByRole('button').click();
    await row.getByText('deleted').waitFor();
    await expect(client(apiKey).chat.completions.create(call)).rejects.toMatchObject({ status: 401 });
    expect(complaints).toEqual([]);
  });

  test('leads from insufficient_balance to the top-up of the account', async () => {
    const { gateway, page, complaints } = await openConsole();
    const apiKey = gateway.profile.keys.depleted;
    const client = new Anthropic({ apiKey, baseURL: gateway.url, maxRetries: 0 });
    const ask = { model: 'claude-reference', max_tokens: 9, messages };
    const failure = await client.messages.create(ask).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      status: 402,
      error: { error: { details: { recharge_url: expect.any(String) } } },
    });
    await page.goto(Object(failure).error.error.details.recharge_url);
    expect(await page.locator('#account').innerText()).toContain('0 credits');
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.locator('#account').filter({ hasText: '1,000 credits' }).waitFor();
    await client.messages.create(ask);
    await page
      .locator('#account')
      .filter({ hasText: /Spent\s*[1-9]/ })
      .waitFor();
    expect(complaints).toEqual([]);
  });

  test('lists 1,000 requests on arrival, and finds one by its trace ID', async () => {
    const { gateway, page, client, complaints } = await openConsole();
    expect(await page.locator('#none').innerText()).toContain(`baseURL: '${gateway.url}/v1'`);
    const wrong = await client()
      .chat.completions.create({ ...call, model: 'nope' })
      .catch((error: unknown) => error);
    const traceId = Object(wrong).headers.get('x-trace-id');
    const send = (): Promise<unknown> => client().models.list();
    for (let round = 0; round < 50; round += 1) await Promise.all(Array.from({ length: 20 }, send));
    await page.locator('#count', { hasText: '1,001 requests, the latest 1000 kept' }).waitFor();
    expect(await page.locator('#rows tr').count()).toBe(100);
    await page.fill('#search', 'models 200');
    await page.getByRole('button', { name: /Show more \(900 hidden\)/ }).click();
    expect(await page.locator('#rows tr').count()).toBe(200);
    const latest = await client().chat.completions.create(call).asResponse();
    await page.fill('#search', latest.headers.get('x-trace-id') ?? '');
    await expect.poll(() => page.locator('#rows tr').count()).toBe(1);
    await page.locator('#rows button').click();
    await page.locator('#detail', { hasText: 'section 4 POST /v1/chat/completions' }).waitFor();
    expect(await page.locator('#detail').innerText()).toMatch(/curl -sS[\s\S]*\$GATEWAY_API_KEY/);
    // The oldest request is no longer stored.
    await page.fill('#search', traceId);
    await page.locator('#no-match').waitFor();
    expect(complaints).toEqual([]);
  }, 120_000);

  test('tops an account up in the list of accounts, where a number that is being entered stays', async () => {
    const { gateway, page, complaints } = await openConsole('/accounts');
    const card = page.locator('li', { has: page.getByRole('link', { name: 'empty' }) });
    await page.getByRole('spinbutton').first().fill('77');
    await card.getByRole('spinbutton').fill('5');
    await card.getByRole('button', { name: 'Top up empty' }).click();
    await card.filter({ hasText: /Balance\s*5 credits/ }).waitFor();
    expect(await page.getByRole('spinbutton').first().inputValue()).toBe('77');
    await card.getByRole('button', { name: 'Drain empty' }).click();
    await card.filter({ hasText: /Balance\s*0 credits/ }).waitFor();
    expect(gateway.accounts.list().map(({ balance }) => balance)).toEqual([1_000_000, 0, 1_000_000]);
    expect(complaints).toEqual([]);
  });

  test('has lines that connect clients, and copies them', async () => {
    const { gateway, page, open, complaints } = await openConsole('', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('link', { name: 'Connect' }).first().click();
    await page.getByRole('button', { name: 'Copy the key depleted' }).click();
    await page.getByRole('button', { name: 'Copied the key depleted' }).waitFor();
    const read = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    expect(await read()).toBe(gateway.profile.keys.depleted);
    await page.getByRole('button', { name: 'Copy the line for @anthropic-ai/sdk in TypeScript' }).click();
    await expect.poll(read).toMatch(/^new Anthropic\(/);
    const create = new Function('Anthropic', `return ${await read()}`);
    const client: Anthropic = create(Anthropic);
    const reply = await client.messages.create({ model: 'claude-reference', max_tokens: 9, messages });
    expect(reply.content[0]?.type).toBe('text');
    gateway.keys.delete('valid');
    await open('/connect');
    expect(await page.locator('li', { has: page.locator('#key-valid') }).innerText()).toContain('refused');
    expect(complaints).toEqual([]);
  });

  test('shows what a client did wrong in a request that the gateway serves', async () => {
    const { gateway, page } = await openConsole();
    const key = gateway.profile.keys.valid;
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': key, authorization: `Bearer ${key}`, 'content-type': 'text/plain' },
      body: JSON.stringify(call),
    });
    await page.locator('#rows button').first().click();
    await page.locator('#detail .mistakes li').nth(1).waitFor();
    expect(await page.locator('#detail .mistakes').innerText()).toMatch(
      /client\/one-header[\s\S]*application\/json[\s\S]*client\/json-content-type/,
    );
    expect(await page.locator('#detail').innerText()).toMatch(/Status\s+200/);
  });

  test('shows a request next to the list, which stays where it is; by keyboard alone', async () => {
    const { gateway, page, client } = await openConsole('', { viewport: { width: 1280, height: 800 } });
    for (let count = 0; count < 60; count += 1) await client().models.list();
    await page.locator('#rows tr').nth(59).waitFor();
    const row = page.locator('#rows tr[data-number="20"]');
    await row.getByRole('button').focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('#rows tr[data-number="19"][aria-selected]').waitFor();
    await page.keyboard.press('k');
    await page.locator('#detail h2').waitFor();
    const topOf = async (): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1);
    const before = await topOf();
    await page.keyboard.press('Enter');
    await page.locator('#detail h2').waitFor();
    expect(await topOf()).toBe(before);
    await client().models.list();
    await page.locator('#rows tr').nth(60).waitFor();
    expect(await topOf()).toBe(before);
    const [list, detail] = [page.locator('#requests'), page.locator('#detail')];
    const [left, right] = [await list.boundingBox(), await detail.boundingBox()];
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
    await page.keyboard.press('Escape');
    await detail.waitFor({ state: 'hidden' });
    expect(
      await row.getByRole('button').evaluate('document.activeElement.closest("tr").dataset.number'),
    ).toBe('20');
    const duration = page.locator('th[data-column=Duration]');
    expect((await duration.boundingBox())?.width).toBeGreaterThan(80);
    expect(await measureOverflow(page)).toBe(0);
    await page.setViewportSize({ width: 390, height: 800 });
    await row.getByRole('button').click();
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await detail.waitFor({ state: 'hidden' });
    await expect.poll(topOf).toBeLessThan(800);
    expect(await topOf()).toBeGreaterThan(0);
    expect(gateway.requests()).toHaveLength(61);
  });

  test('switches situations on and off, and shows the chunks of a broken stream', async () => {
    const { page, client, open } = await openConsole('/situations');
    const form = page.locator('form', { has: page.getByRole('heading', { name: 'Broken stream' }) });
    await form.getByRole('button').click();
    await page.locator('#active', { hasText: 'connection breaks after 3 chunks – streams' }).waitFor();
    const read = async (): Promise<void> => {
      for await (const _ of await client().chat.completions.create({ ...call, stream: true }));
    };
    await expect(read()).rejects.toThrow();
    await page.getByRole('heading', { name: 'Used up' }).waitFor();
    await read();
    await open('#1');
    await page.locator('#detail', { hasText: 'The gateway closed the connection here.' }).waitFor();
    expect(await page.locator('#detail .chunk').count()).toBe(3);
    await open('/situations');
    await page.fill('input[name=fault]', 'bad-key/deleted-works');
    await page
      .locator('form', { has: page.locator('input[name=fault]') })
      .getByRole('button')
      .click();
    await page.locator('#active', { hasText: 'Fault bad-key/deleted-works' }).waitFor();
    await page.fill('input[name=variant]', 'none');
    await page
      .locator('form', { has: page.locator('input[name=variant]') })
      .getByRole('button')
      .click();
    const variantForm = page.locator('form', { has: page.locator('input[name=variant]') });
    await variantForm.getByRole('alert').filter({ hasText: 'no variant has the ID "none"' }).waitFor();
    expect(await variantForm.locator('.problem code').allInnerTexts()).toContain('conformance list variants');
    expect(await page.locator('#problem').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Switch off Fault' }).click();
    await expect.poll(() => page.locator('#active').innerText()).not.toContain('Fault');
  });

  test('makes model calls fail as gateways do: 429 with Retry-After, 503 and time-outs', async () => {
    const { gateway, page, client, open } = await openConsole('/situations');
    const formOf = (title: string) =>
      page.locator('form', { has: page.getByRole('heading', { name: title, exact: true }) });
    const error = formOf('Error');
    await error.locator('[name=change]').selectOption('429 too many requests');
    await error.getByLabel('Retry-After').fill('7');
    await error.locator('[name="match.operation"]').selectOption('chat');
    await error.getByLabel('Requests (empty: all)').fill('2');
    await error.getByRole('button').click();
    await page.locator('#active', { hasText: '429 too many requests, retry-after: 7 – chat' }).waitFor();
    await client().models.list();
    for (const _ of [1, 2]) {
      const failure = await client()
        .chat.completions.create(call)
        .catch((problem: unknown) => problem);
      expect([Object(failure).status, Object(failure).headers.get('retry-after')]).toEqual([429, '7']);
    }
    await client().chat.completions.create(call);

    await error.locator('[name=change]').selectOption('503 service unavailable');
    await error.locator('[name="match.operation"]').selectOption('all model calls');
    await error.getByLabel('Requests (empty: all)').fill('1');
    await error.getByRole('button').click();
    await page.locator('#active', { hasText: '503 service unavailable' }).waitFor();
    const anthropic = new Anthropic({
      apiKey: gateway.profile.keys.valid,
      baseURL: gateway.url,
      maxRetries: 0,
    });
    const ask = { model: 'claude-reference', max_tokens: 9, messages };
    await expect(anthropic.messages.create(ask)).rejects.toMatchObject({ status: 503 });
    await anthropic.messages.create(ask);

    const silent = formOf('Time-out');
    await silent.getByLabel('Seconds').fill('1');
    await silent.getByRole('button').click();
    await page.locator('#active', { hasText: 'connection closes without a response' }).waitFor();
    const begin = performance.now();
    await expect(client().chat.completions.create(call)).rejects.toThrow(OpenAI.APIConnectionError);
    expect(performance.now() - begin).toBeGreaterThan(900);

    await page.locator('#active', { hasText: 'No situation is switched on.' }).waitFor();
    expect(await page.locator('#active').innerText()).toMatch(/Used up[\s\S]*2 of 2 requests/);
    await open('/conformance');
    expect(await page.locator('main').innerText()).toContain('Switched on: nothing.');
  });

  test('says that a situation caused a response, with a link to it', async () => {
    const { gateway, page, client, complaints } = await openConsole();
    gateway.situations.add({ match: { times: 2 }, change: { refuse: 'missing-credential' } });
    await expect(client().chat.completions.create(call)).rejects.toMatchObject({ status: 401 });
    const title = 'Switched on in Situations: refused: missing-credential';
    await page.locator('#rows tr', { hasText: title }).locator('button').click();
    const link = page.locator('#detail').getByRole('link', { name: title });
    await link.waitFor();
    const shown = await page.locator('#detail').innerText();
    expect(shown).not.toContain('No supported auth header');
    expect(shown).toMatch(new RegExp(`Determined by\\s+${title}`));
    expect(shown).not.toMatch(/\n–(\n|$)/);
    await page.fill('#search', 'in situations');
    expect(await page.locator('#rows tr').count()).toBe(1);
    await link.click();
    await page.locator('.card:target', { hasText: '1 of 2 requests so far' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('runs the suite against the gateway in its present state', async () => {
    const { gateway, page, complaints } = await openConsole('/conformance');
    gateway.situations.add({ fault: 'bad-key/deleted-works' });
    const before = JSON.stringify([gateway.accounts.list(), gateway.situations.list()]);
    await page.getByRole('button', { name: 'Run the suite' }).click();
    await page.locator('button[aria-disabled=true]:focus').waitFor();
    await page.locator('#conformance', { hasText: / of [\d,]+ cases/ }).waitFor();
    await page.locator('#conformance', { hasText: 'violates' }).waitFor({ timeout: 60_000 });
    // The run had a copy of the gateway.
    expect(gateway.requests()).toEqual([]);
    expect(JSON.stringify([gateway.accounts.list(), gateway.situations.list()])).toBe(before);
    expect(await page.locator('#conformance').innerText()).toContain('auth/deleted-bearer-token');
    expect(await page.locator('#conformance').innerText()).toMatch(/\d+ of 16\d requirements failed/);
    await page.getByRole('link', { name: 'auth/deleted-bearer-token' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(page.url()).toMatch(/report#requirement\/auth\/deleted-bearer-token$/);
    const report = await page.locator('body').innerText();
    expect(report).toContain('auth/deleted-bearer-token');
    expect(report).toContain(gateway.url);
    expect(complaints).toEqual([]);
  }, 90_000);

  test.each<[string, 'light' | 'dark', number]>([
    ['at a desk', 'light', 1440],
    ['in the dark', 'dark', 1440],
    ['on a phone', 'light', 390],
  ])('has accessible pages %s, without scrolling sideways', async (_, colorScheme, width) => {
    const { page, client, open } = await openConsole('', { colorScheme, viewport: { width, height: 844 } });
    await client()
      .chat.completions.create({ ...call, stream: true })
      .then((stream) => stream.controller.abort());
    await page.locator('#rows button').first().click();
    await page.locator('#detail h2').waitFor();
    for (const path of [
      undefined,
      '/connect',
      '/keys',
      '/accounts',
      '/accounts/empty',
      '/situations',
      '/conformance',
    ]) {
      if (path !== undefined) await open(path);
      expect([path, await findAccessibilityProblems(page)]).toEqual([path, []]);
      expect([path, await measureOverflow(page)]).toEqual([path, 0]);
    }
  });

  test('shows the body of a hostile request as text, and no key anywhere', async () => {
    const { gateway, page, complaints } = await openConsole();
    const key = gateway.profile.keys.valid;
    const hostile = `</pre><img src=x onerror="document.title='owned'"><script>document.title='owned'</script> ${key}`;
    await fetch(`${gateway.url}/v1/chat/completions?key=${key}&x=${encodeURIComponent(hostile)}`, {
      method: 'POST',
      headers: {
        'x-api-key': key,
        cookie: `session=${key}`,
        'user-agent': '<b>agent</b>',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model: hostile, messages: [{ role: 'user', content: hostile, [key]: key }] }),
    });
    await page.locator('#rows button').first().click();
    await page.locator('#detail', { hasText: 'onerror' }).waitFor();
    const text = (await page.content()) + JSON.stringify(await fetchDetail(gateway));
    expect(text).not.toContain(key);
    expect(await page.title()).toMatch(/^Requests/);
    expect(await page.locator('#detail img, #detail script, #detail b').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

async function fetchDetail({ url }: ReferenceServer): Promise<unknown> {
  return (await fetch(`${url}/console/api/requests/1`)).json();
}
