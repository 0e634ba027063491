import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { createScratchFolder } from '../../support/command.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import {
  authority,
  openDroppingPort,
  openForwardProxy,
  serveOnIPv6,
  serveWithTls,
} from '../../support/tls-servers.ts';

const only = ['--only', 'auth/missing-credential', '--suite', 'auth', '--reporter', 'json'];

let gateway: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer();
});
afterAll(async () => {
  await gateway.close();
});

async function runAgainst(
  url: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stderr: string; report: Report }> {
  const { code, stderr, stdout } = await runInProcess(['run', '--base-url', url, ...only, ...flags], {
    env: { GATEWAY_API_KEY: gateway.profile.keys.valid, ...env },
  });
  return { code, stderr, report: JSON.parse(stdout) };
}

test('--header is sent with every request, including the requests of --wait', async () => {
  const seen: unknown[] = [];
  const server = createServer(({ url, headers }, response) => {
    seen.push([url, headers['x-tenant']]);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await runAgainst(url, ['--wait', '5s', '--header', 'x-tenant: blue']);
  expect(seen[0]).toEqual(['/', 'blue']);
  expect(seen.filter((item) => !JSON.stringify(item).includes('blue'))).toEqual([]);
  expect(seen.length).toBeGreaterThan(1);
});

describe('a certificate', () => {
  test.each([
    ['of an unknown authority', 'good', [], /unable to verify|self.signed|unable to get/i],
    ['that has expired', 'expired', ['--ca', authority], /expired/],
    ['for another name', 'other', ['--ca', authority], /altnames|does not match/i],
  ] as const)('%s prevents judging the gateway', async (_, name, flags, cause) => {
    const { code, report } = await runAgainst(await serveWithTls(gateway.url, name), flags);
    expect(JSON.stringify(report.diagnosis)).toMatch(cause);
    expect({ code, sent: report.summary.cases.violates }).toEqual({ code: 3, sent: 0 });
  });
  test('of an authority in --ca is trusted', async () => {
    const { code, stderr } = await runAgainst(await serveWithTls(gateway.url, 'good'), ['--ca', authority]);
    expect(stderr).not.toContain('--insecure');
    expect(code).toBe(0);
  });
  test.each(['good', 'expired', 'other'])(
    'is ignored with --insecure, which prints a warning: %s',
    async (name) => {
      const { code, stderr } = await runAgainst(await serveWithTls(gateway.url, name), ['--insecure']);
      expect(stderr).toContain('TLS certificates are not verified (--insecure)');
      expect(code).toBe(0);
    },
  );
  test.each([
    ['that does not exist', 'nowhere.pem', /--ca nowhere\.pem: the file does not exist\. Check the path\./],
    ['that is not PEM', join(import.meta.dirname, 'run.test.ts'), /contains no PEM certificate/],
  ])('file %s is refused', async (_, file, message) => {
    const { code, stderr } = await runInProcess(['run', '--base-url', 'https://127.0.0.1:1', '--ca', file], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789' },
    });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('a proxy in the environment', () => {
  test('gets requests to http URLs', async () => {
    const { url, requests } = await openForwardProxy(gateway.url);
    const { code } = await runAgainst('http://gateway.example', [], { HTTP_PROXY: url });
    expect(code).toBe(0);
    expect(new Set(requests.map((line) => line.replace(/\?.*/, '')))).toContain(
      'POST http://gateway.example/v1/chat/completions',
    );
  });
  test('gets a CONNECT for https URLs, and gets no key', async () => {
    const tls = await serveWithTls(gateway.url, 'good');
    const { url, requests } = await openForwardProxy(tls);
    const { code } = await runAgainst('https://gateway.example', ['--insecure'], { https_proxy: url });
    expect(code).toBe(0);
    expect([...new Set(requests)]).toEqual(['CONNECT gateway.example:443']);
  });
  test.each([
    ['NO_PROXY names the gateway', { NO_PROXY: '.example' }, 'http://gateway.example'],
    ['the gateway is on this machine', {}, ''],
  ])('is not used if %s', async (_, env, url) => {
    const proxy = await openForwardProxy(gateway.url);
    const { report } = await runAgainst(url || gateway.url, [], { HTTP_PROXY: proxy.url, ...env });
    expect(proxy.requests).toEqual([]);
    expect(report.verdict).toBe(url ? 'inconclusive' : 'conforms');
  });
  test('with an invalid URL is refused', async () => {
    const { code, stderr } = await runInProcess(['run', '--base-url', 'http://gateway.example'], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789', HTTP_PROXY: 'proxy.example:3128' },
    });
    expect(stderr).toContain('HTTP_PROXY does not contain a valid proxy URL');
    expect(code).toBe(2);
  });
});

describe('a gateway', () => {
  test.each([
    ['a name that does not resolve', 'http://gateway.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['a closed port', 'http://127.0.0.1:1', /ECONNREFUSED/],
  ])('with %s is reported after fewer than 40 requests', async (_, url, cause) => {
    const { code, report } = await runAgainst(url);
    expect(report.diagnosis.map(({ message }) => message).join()).toMatch(cause);
    expect(report.requests.sent).toBeLessThan(40);
    expect(code).toBe(3);
  });
  test('on a port that drops packets is reported after fewer than 40 requests', async () => {
    const profile = join(createScratchFolder(), 'impatient.yaml');
    writeFileSync(profile, 'timeouts: { connect: 1s }\n');
    const { code, report } = await runAgainst(await openDroppingPort(), ['--profile', profile]);
    expect(report.diagnosis.map(({ message }) => message).join()).toMatch(/no connection to .* within 1 s/);
    expect(report.requests.sent).toBeLessThan(40);
    for (const { exchanges } of report.cases)
      for (const { durationMs } of exchanges) expect(durationMs).toBeLessThan(10_000);
    expect(code).toBe(3);
  });
  test('is reached through IPv6', async () => {
    expect((await runAgainst(await serveOnIPv6(gateway.url))).code).toBe(0);
  });
});
