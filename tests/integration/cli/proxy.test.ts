import { once } from 'node:events';
import { request as send } from 'node:http';
import { describe, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import type { Report } from '../../../runner/report/report.ts';
import { listFailedIds } from '../../support/check-command.ts';
import { searchForKeys } from '../../support/leaks/search-for-keys.ts';
import {
  badKey,
  chat,
  reportOf,
  startGateway,
  startProxy,
  unifiedErrorFault,
} from '../../support/proxy-command.ts';
import { sdkCalls } from '../../support/sdk-calls.ts';

const json = ['--reporter', 'json=report.json', '--reporter', 'terminal'];

interface RequestOptions {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe('the proxy command with SDKs', () => {
  test.each([
    { sdk: 'openai', signal: 'SIGINT', judged: 14 },
    { sdk: 'anthropic', signal: 'SIGTERM', judged: 10 },
    { sdk: 'genai', signal: 'SIGINT', judged: 8 },
    { sdk: 'ai', signal: 'SIGTERM', judged: 16 },
  ] as const)(
    'reports no violation for $sdk with a conforming gateway, and exits with 0 on $signal',
    async ({ sdk, signal, judged }) => {
      const gateway = await startGateway();
      const proxy = await startProxy(gateway.url, json);
      await sdkCalls[sdk]?.({ baseUrl: proxy.url, keys: gateway.profile.keys });
      expect(await proxy.stop(signal)).toBe(0);
      expect(proxy.stdout()).toContain('✓ CONFORMS');
      expect(proxy.stderr()).not.toMatch(/[✗▲]/);
      const report = reportOf(proxy);
      expect(listFailedIds(report)).toEqual([]);
      expect(report.recording?.judged).toBe(judged);
      expect(report.recording?.client?.duties.filter((duty) => duty.broken > 0)).toEqual([]);
      expect(proxy.said() + JSON.stringify(report)).not.toMatch(/sk-(Reference|no-one)/);
    },
  );

  test('prints each kind of violation once, at the first occurrence, and exits with 1', async () => {
    const gateway = await startGateway(unifiedErrorFault);
    const proxy = await startProxy(gateway.url, json);
    await chat(proxy, badKey);
    await proxy.until(1, /✗ auth\/bad-bearer-token {2}expected error\.type invalid_bearer_token/g);
    expect(proxy.stderr()).toMatch(/POST http:\S+\/v1\/chat\/completions → 401 {2}trace ID [0-9a-f-]{36}\n/);
    expect(proxy.stdout()).toBe('');
    await chat(proxy, `${badKey}-other`);
    await chat(proxy, badKey, { stream: true });
    await proxy.until(1, /✗ streams\/bad-bearer-token/g);
    expect(await proxy.stop()).toBe(1);
    expect(proxy.stderr().match(/✗ auth\/bad-bearer-token/g)).toHaveLength(1);
    expect(listFailedIds(reportOf(proxy))).toEqual(['auth/bad-bearer-token', 'streams/bad-bearer-token']);
    expect(proxy.said()).not.toContain(badKey);
  });
});

describe('the control port', () => {
  test('returns the report so far as JSON or as a page', async () => {
    const gateway = await startGateway(unifiedErrorFault);
    const proxy = await startProxy(gateway.url);
    const { problems } = await loadSchemas();
    const ask = async (): Promise<Report> => {
      const text = await (await fetch(proxy.control)).text();
      searchForKeys('The control port', text);
      return JSON.parse(text);
    };
    const before = await ask();
    expect([before.recording?.exchanges, before.verdict]).toEqual([0, 'inconclusive']);
    expect(problems('report', before)).toEqual([]);
    await chat(proxy, badKey);
    await proxy.until(1, /✗ auth/g);
    const after = await ask();
    expect([after.recording?.exchanges, after.verdict]).toEqual([1, 'violates']);
    expect(problems('report', after)).toEqual([]);

    const page = await fetch(`${proxy.control}/report`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const text = await page.text();
    searchForKeys('The control page', text);
    expect(text).toMatch(/^<!doctype html>[\s\S]*auth\/bad-bearer-token/);
    expect(text + JSON.stringify(after)).not.toContain(badKey);
    // Requests to the control port are not part of the traffic.
    expect((await ask()).recording?.exchanges).toBe(1);
    await proxy.stop();
  });

  test('accepts GET and HEAD on its path only, for host names of this machine only', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url);
    const statusOf = async ({ path = '/__conformance', ...options }: RequestOptions): Promise<number> => {
      const asked = send(new URL(path, proxy.control), options).end();
      const [answer] = await once(asked, 'response');
      answer.resume();
      return answer.statusCode;
    };
    const of = (host: string): RequestOptions => ({ headers: { host } });
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

  test('is separate from the port for clients, which forwards the path of the control port like any other path', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url);
    expect((await fetch(`${proxy.url}/__conformance`)).status).toBe(404);
    expect(gateway.requests().map(({ path }) => path)).toEqual(['/__conformance']);
    await proxy.stop();
  });
});
