import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import type { Report } from '../../../runner/report/report.ts';
import { conformance } from '../../support/command.ts';
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

async function judged(
  url: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stderr: string; report: Report }> {
  const { code, stderr, stdout } = await conformance(['run', '--base-url', url, ...only, ...flags], {
    env: { GATEWAY_API_KEY: gateway.profile.keys.valid, ...env },
  });
  return { code, stderr, report: JSON.parse(stdout) };
}

describe('a certificate', () => {
  test.each([
    ['of an unknown authority', 'good', [], /unable to verify|self.signed|unable to get/i],
    ['that is expired', 'expired', ['--ca', authority], /expired/],
    ['for another name', 'other', ['--ca', authority], /altnames|does not match/i],
  ] as const)('%s keeps the gateway from being judged', async (_, name, flags, cause) => {
    const { code, report } = await judged(await serveWithTls(gateway.url, name), flags);
    expect(JSON.stringify(report.diagnosis)).toMatch(cause);
    expect({ code, sent: report.summary.cases.violates }).toEqual({ code: 3, sent: 0 });
  });
  test('is trusted with --ca', async () => {
    const { code, stderr } = await judged(await serveWithTls(gateway.url, 'good'), ['--ca', authority]);
    expect(stderr).not.toContain('--insecure');
    expect(code).toBe(0);
  });
  test.each(['good', 'expired', 'other'])(
    'is not looked at with --insecure, and that is said: %s',
    async (name) => {
      const { code, stderr } = await judged(await serveWithTls(gateway.url, name), ['--insecure']);
      expect(stderr).toContain('TLS certificates are not verified (--insecure)');
      expect(code).toBe(0);
    },
  );
  test.each([
    ['that is not there', 'nowhere.pem', /--ca nowhere\.pem: the file cannot be read \(ENOENT\)/],
    ['that is none', join(import.meta.dirname, 'run.test.ts'), /contains no PEM certificate/],
  ])('file %s is told as a mistake', async (_, file, told) => {
    const { code, stderr } = await conformance(['run', '--base-url', 'https://127.0.0.1:1', '--ca', file], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789' },
    });
    expect(stderr).toMatch(told);
    expect(code).toBe(2);
  });
});

describe('a proxy', () => {
  test('passes requests to a plain address on as they are', async () => {
    const { url, asked } = await openForwardProxy(gateway.url);
    const { code } = await judged('http://gateway.example', [], { HTTP_PROXY: url });
    expect(code).toBe(0);
    expect(new Set(asked.map((line) => line.replace(/\?.*/, '')))).toContain(
      'POST http://gateway.example/v1/chat/completions',
    );
  });
  test('passes TLS through, and never sees a key', async () => {
    const tls = await serveWithTls(gateway.url, 'good');
    const { url, asked } = await openForwardProxy(tls);
    const { code } = await judged('https://gateway.example', ['--insecure'], { https_proxy: url });
    expect(code).toBe(0);
    expect([...new Set(asked)]).toEqual(['CONNECT gateway.example:443']);
  });
  test.each([
    ['NO_PROXY names the gateway', { NO_PROXY: '.example' }, 'http://gateway.example'],
    ['the gateway is on this machine', {}, ''],
  ])('is not asked where %s', async (_, env, url) => {
    const proxy = await openForwardProxy(gateway.url);
    const { report } = await judged(url || gateway.url, [], { HTTP_PROXY: proxy.url, ...env });
    expect(proxy.asked).toEqual([]);
    expect(report.verdict).toBe(url ? 'inconclusive' : 'conforms');
  });
  test('whose address is none is told as a mistake', async () => {
    const { code, stderr } = await conformance(['run', '--base-url', 'http://gateway.example'], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789', HTTP_PROXY: 'proxy.example:3128' },
    });
    expect(stderr).toContain('HTTP_PROXY is not a valid proxy URL');
    expect(code).toBe(2);
  });
});

describe('a gateway that is not there', () => {
  test.each([
    ['a name that does not resolve', 'http://nobody.invalid', /ENOTFOUND|EAI_AGAIN/],
    ['a port that refuses', 'http://127.0.0.1:1', /ECONNREFUSED/],
  ])('under %s is told of once, and soon', async (_, url, cause) => {
    const { code, report } = await judged(url);
    expect(report.diagnosis.map(({ message }) => message).join()).toMatch(cause);
    expect(report.requests.sent).toBeLessThan(40);
    expect(code).toBe(3);
  });
  test('behind a port that drops packets is told of once, and soon', async () => {
    const { code, report } = await judged(await openDroppingPort(), ['--connect-timeout', '1s']);
    expect(report.diagnosis.map(({ message }) => message).join()).toMatch(/no connection to .* within 1 s/);
    expect(report.requests.sent).toBeLessThan(40);
    for (const { exchanges } of report.cases)
      for (const { durationMs } of exchanges) expect(durationMs).toBeLessThan(10_000);
    expect(code).toBe(3);
  });
  test('but under IPv6 is judged there', async () => {
    expect((await judged(await serveOnIPv6(gateway.url))).code).toBe(0);
  });
});
