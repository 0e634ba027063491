import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { loadSchemas } from '../../runner/catalog/schemas.ts';
import type { Report } from '../../runner/report/report.ts';
import { reporterNames } from '../../runner/report/reporters.ts';
import { sdkCalls } from '../captures/sdk-calls.ts';
import { conformance, scratch } from '../command.ts';
import { type RunningCommand, startGateway, startProxy } from './running-command.ts';
import { serve } from './wire.ts';

const unified = 'auth-answer/headers-unified-to-x-api-key';
const bad = 'sk-nobody-has-this-key';
interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
const user = [{ role: 'user' as const, content: 'hi' }];
const json = ['--reporter', 'json=report.json', '--reporter', 'terminal'];

/** Calls chat through a proxy, and leaves what is wrong to the proxy. */
async function chat(proxy: RunningCommand, apiKey: string, body: object = {}): Promise<void> {
  const client = new OpenAI({ apiKey, baseURL: `${proxy.url}/v1`, maxRetries: 0 });
  const call = { model: 'gpt-reference', messages: user, ...body };
  await client.chat.completions.create(call).catch(() => undefined);
}
const reportOf = ({ folder }: RunningCommand): Report =>
  JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
const broken = ({ requirements }: Report): string[] =>
  requirements.filter(({ outcome }) => outcome === 'violates' || outcome === 'warns').map(({ id }) => id);

describe('SDKs behind the proxy', () => {
  test.each([
    { sdk: 'openai', signal: 'SIGINT', judged: 14 },
    { sdk: 'anthropic', signal: 'SIGTERM', judged: 10 },
    { sdk: 'genai', signal: 'SIGINT', judged: 8 },
    { sdk: 'ai', signal: 'SIGTERM', judged: 16 },
  ] as const)(
    '$sdk with a gateway that keeps the contract: nothing is blamed, and $signal ends it with 0',
    async ({ sdk, signal, judged }) => {
      const gateway = await startGateway();
      const proxy = await startProxy(gateway.url, json);
      await sdkCalls[sdk]?.({ baseUrl: proxy.url, keys: gateway.profile.keys });
      expect(await proxy.stop(signal)).toBe(0);
      expect(proxy.stdout()).toContain('✓ CONFORMS');
      expect(proxy.stderr()).not.toMatch(/[✗▲]/);
      const report = reportOf(proxy);
      expect(broken(report)).toEqual([]);
      expect(report.recording?.judged).toBe(judged);
      expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
      expect(proxy.said() + JSON.stringify(report)).not.toMatch(/sk-(Reference|nobody)/);
    },
  );

  test('are told of a violation when it passes, once for each kind, and the end is 1', async () => {
    const gateway = await startGateway(unified);
    const proxy = await startProxy(gateway.url, json);
    await chat(proxy, bad);
    await proxy.until(1, /✗ auth\/bad-bearer-token {2}expected error\.type invalid_bearer_token/g);
    expect(proxy.stderr()).toMatch(/POST http:\S+\/v1\/chat\/completions → 401 {2}trace id [0-9a-f-]{36}\n/);
    expect(proxy.stdout()).toBe('');
    await chat(proxy, `${bad}-other`);
    await chat(proxy, bad, { stream: true });
    await proxy.until(1, /✗ streams\/bad-bearer-token/g);
    expect(await proxy.stop()).toBe(1);
    expect(proxy.stderr().match(/✗ auth\/bad-bearer-token/g)).toHaveLength(1);
    expect(broken(reportOf(proxy))).toEqual(['auth/bad-bearer-token', 'streams/bad-bearer-token']);
    expect(proxy.said()).not.toContain(bad);
  });
});

describe('the control port', () => {
  test('tells the report so far, as JSON or as a page', async () => {
    const gateway = await startGateway(unified);
    const proxy = await startProxy(gateway.url);
    const { problems } = await loadSchemas();
    const ask = async (): Promise<Report> => (await fetch(proxy.control)).json();
    const before = await ask();
    expect([before.recording?.exchanges, before.verdict]).toEqual([0, 'inconclusive']);
    expect(problems('report', before)).toEqual([]);
    await chat(proxy, bad);
    await proxy.until(1, /✗ auth/g);
    const after = await ask();
    expect([after.recording?.exchanges, after.verdict]).toEqual([1, 'violates']);
    expect(problems('report', after)).toEqual([]);

    const page = await fetch(proxy.control, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    expect(text).toMatch(/^<!doctype html>[\s\S]*auth\/bad-bearer-token/);
    expect(text + JSON.stringify(after)).not.toContain(bad);
    // What is asked of it is none of the traffic.
    expect((await ask()).recording?.exchanges).toBe(1);
    await proxy.stop();
  });

  test('is read with GET and HEAD, under its path, by the names of this machine', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url);
    const statusOf = async ({ path = '/__conformance', ...options }: Asked): Promise<number> => {
      const asked = send(new URL(path, proxy.control), options).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      return answer.statusCode;
    };
    const of = (host: string): Asked => ({ headers: { host } });
    expect(await statusOf({ method: 'HEAD' })).toBe(200);
    expect(await statusOf({ path: '/__conformance?x=1' })).toBe(200);
    expect(await statusOf(of('localhost:1'))).toBe(200);
    expect(await statusOf({ path: '/' })).toBe(404);
    expect(await statusOf({ path: '/v1/models' })).toBe(404);
    expect(await statusOf({ method: 'POST' })).toBe(405);
    expect(await statusOf(of('gateway.example'))).toBe(403);
    expect(await statusOf(of('127.0.0.1.gateway.example'))).toBe(403);
    expect(gateway.requests()).toEqual([]);
    await proxy.stop();
  });

  test('is apart from the clients: its path is passed on like any other', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url);
    expect((await fetch(`${proxy.url}/__conformance`)).status).toBe(404);
    expect(gateway.requests().map(({ path }) => path)).toEqual(['/__conformance']);
    await proxy.stop();
  });
});

describe('the end', () => {
  test('writes every report, without any key', async () => {
    const echo = await serve((request, response) => {
      const key = String(request.headers.authorization);
      response.writeHead(401, { 'content-type': 'application/json', 'x-key': key });
      response.end(JSON.stringify({ error: { message: `${key} is wrong`, type: key, code: 401 } }));
    });
    const chosen = reporterNames.flatMap((name) => ['--reporter', `${name}=${name}`]);
    const valid = 'sk-valid-0123456789abcdefghijkl';
    const proxy = await startProxy(echo, chosen, { env: { GATEWAY_API_KEY: valid } });
    await chat(proxy, valid);
    await chat(proxy, bad);
    expect(await proxy.stop()).toBe(1);
    expect(readdirSync(proxy.folder).sort()).toEqual([...reporterNames].sort());
    for (const name of reporterNames)
      expect(readFileSync(join(proxy.folder, name), 'utf8')).not.toMatch(/sk-valid|sk-nobody/);
    expect(proxy.said()).not.toMatch(/sk-valid|sk-nobody/);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'comes with %s though a stream has none, which is judged as far as it came',
    async (signal) => {
      const endless = await serve((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const tick = setInterval(
          () => response.write('data: {"object":"chat.completion.chunk","choices":[]}\n\n'),
          20,
        );
        response.on('close', () => clearInterval(tick));
      });
      const proxy = await startProxy(endless, json);
      const body = JSON.stringify({ model: 'm', messages: user, stream: true });
      const headers = { authorization: `Bearer ${bad}`, 'content-type': 'application/json' };
      const answer = await fetch(`${proxy.url}/v1/chat/completions`, { method: 'POST', headers, body });
      const reader = answer.body?.getReader();
      await reader?.read();
      await reader?.read();
      expect(await proxy.stop(signal)).toBe(0);
      await expect(
        (async () => {
          while (!(await reader?.read())?.done);
        })(),
      ).rejects.toThrow();
      expect(reportOf(proxy).recording).toMatchObject({ exchanges: 1, judged: 1 });
      expect(broken(reportOf(proxy))).toEqual([]);
    },
  );

  test('without any traffic is 3', async () => {
    const proxy = await startProxy('http://127.0.0.1:9', json);
    expect(await proxy.stop()).toBe(3);
    expect(proxy.stdout()).toContain('? INCONCLUSIVE');
  });

  test('of a gateway that nobody reaches is 3, and the client gets an answer of the proxy', async () => {
    const proxy = await startProxy('http://127.0.0.1:9', json);
    const answer = await fetch(`${proxy.url}/v1/models`, { headers: { authorization: `Bearer ${bad}` } });
    expect([answer.status, answer.headers.get('x-conformance-proxy')]).toEqual([502, 'error']);
    expect(await proxy.stop()).toBe(3);
    expect(broken(reportOf(proxy))).toEqual([]);
    expect(proxy.stdout()).toContain('No answer was recorded.');
  });

  test('that cannot write a report is 4', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, ['--reporter', 'json=/dev/null/report.json']);
    await chat(proxy, gateway.profile.keys.valid);
    expect(await proxy.stop()).toBe(4);
    expect(proxy.stderr()).toContain('/dev/null/report.json');
  });
});

describe('what is wrong at the start ends it with 2', () => {
  test.each([
    ['no gateway', [], 'There is no gateway to pass calls on to.'],
    ['a base URL that is none', ['--base-url', 'gateway.example'], 'is no URL'],
    ['a reporter that is none', ['--base-url', 'http://127.0.0.1:9', '--reporter', 'jsn'], 'Did you mean'],
    ['a profile that is not there', ['--profile', 'none.yaml'], 'none.yaml'],
    ['a port that is none', ['--base-url', 'http://127.0.0.1:9', '--port', '70000'], '0 to 65535'],
  ])('%s', async (_, flags, says) => {
    const { code, stdout, stderr } = await conformance(['proxy', ...flags]);
    expect(stderr).toContain(says);
    expect([code, stdout]).toEqual([2, '']);
  });

  test.each(['--port', '--control-port'])('a %s that is taken', async (flag) => {
    const taken = new URL(await serve(() => {})).port;
    const flags = ['--base-url', 'http://127.0.0.1:9', ...(flag === '--port' ? [] : ['--port', '0'])];
    const { code, stderr } = await conformance(['proxy', ...flags, flag, taken]);
    expect(stderr).toContain(`Port ${taken} is taken. Choose another: ${flag} N`);
    expect(code).toBe(2);
  });
});

describe('the gate', () => {
  test('passes what the baseline expects, which the proxy can write', async () => {
    const gateway = await startGateway(unified);
    const folder = scratch();
    const gate = ['--baseline', 'known.yaml'];
    const first = await startProxy(gateway.url, [...gate, '--update-baseline'], { folder });
    await chat(first, bad);
    expect(await first.stop()).toBe(0);
    expect(first.stderr()).toContain('known.yaml was written: 1 added');
    expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toContain('requirement: auth/bad-bearer-token');

    const second = await startProxy(gateway.url, gate, { folder });
    await chat(second, bad);
    expect(await second.stop()).toBe(0);
    expect(second.stdout()).toContain('VIOLATES as expected');

    writeFileSync(join(folder, 'known.yaml'), 'violations: []\n');
    const third = await startProxy(gateway.url, gate, { folder });
    await chat(third, bad);
    expect(await third.stop()).toBe(1);
  });

  test.each([
    { flags: [], code: 0 },
    { flags: ['--strict-client'], code: 1 },
  ])('with $flags ends with $code where a client sends two credentials', async ({ flags, code }) => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, [...json, ...flags]);
    const { valid } = gateway.profile.keys;
    await chat(proxy, valid);
    await fetch(`${proxy.url}/v1/models`, {
      headers: { authorization: `Bearer ${valid}`, 'x-api-key': valid },
    });
    expect(await proxy.stop()).toBe(code);
    expect(broken(reportOf(proxy))).toEqual([]);
    expect(proxy.stdout()).toMatch(/✗ client\/one-header {2}broken in 1 of 2/);
    expect(proxy.stdout()).toContain('It carries 2 credentials.');
  });
});
