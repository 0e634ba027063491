import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { createReferenceServer, type ReferenceServer } from '../../../reference-server/index.ts';
import { runInProcess } from '../../support/in-process-command.ts';
import { badKey, chat, reportOf, startProxy } from '../../support/proxy-command.ts';
import { authority, openForwardProxy, serveWithTls } from '../../support/tls-servers.ts';

let gateway: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer();
});
afterAll(() => gateway.close());

describe('the proxy command reaches a gateway', () => {
  /**
   * Calls a gateway twice with a wrong key through the proxy. Returns the first status (502 if the gateway was not
   * reached), the text of stderr, and the number of judged exchanges.
   */
  async function callThroughProxy(url: string, flags: readonly string[], env: Record<string, string> = {}) {
    const proxy = await startProxy(url, ['--reporter', 'json=report.json', ...flags], { env });
    const response = await fetch(`${proxy.url}/v1/models`, {
      headers: { authorization: `Bearer ${badKey}` },
    });
    await chat(proxy, badKey);
    await proxy.stop();
    return { status: response.status, stderr: proxy.stderr(), judged: reportOf(proxy).recording?.judged };
  }

  test('with a certificate of an authority in --ca', async () => {
    const url = await serveWithTls(gateway.url, 'good');
    expect(await callThroughProxy(url, [])).toMatchObject({ status: 502, judged: 0 });
    expect(await callThroughProxy(url, ['--ca', authority])).toMatchObject({ status: 401, judged: 2 });
  });
  test('with an expired certificate with --insecure, and prints a warning', async () => {
    const { status, stderr } = await callThroughProxy(await serveWithTls(gateway.url, 'expired'), [
      '--insecure',
    ]);
    expect(stderr).toContain('TLS certificates are not verified (--insecure)');
    expect(status).toBe(401);
  });
  test('through HTTP_PROXY', async () => {
    const { url, requests } = await openForwardProxy(gateway.url);
    const { status } = await callThroughProxy('http://gateway.example', [], { HTTP_PROXY: url });
    expect(requests).toEqual([
      'GET http://gateway.example/v1/models',
      'POST http://gateway.example/v1/chat/completions',
    ]);
    expect(status).toBe(401);
  });
  test('through HTTPS_PROXY, which gets no key', async () => {
    const { url, requests } = await openForwardProxy(await serveWithTls(gateway.url, 'good'));
    const { status } = await callThroughProxy('https://gateway.example', ['--insecure'], {
      HTTPS_PROXY: url,
    });
    expect([...new Set(requests)]).toEqual(['CONNECT gateway.example:443']);
    expect(status).toBe(401);
  });
});

test('the clients command reaches a gateway through HTTPS_PROXY and with --ca', async () => {
  const { url, requests } = await openForwardProxy(await serveWithTls(gateway.url, 'good'));
  const { code, stdout } = await runInProcess(
    ['clients', '--base-url', 'https://127.0.0.1.example', '--insecure', '--sdk', 'openai'],
    { cwd: packageRoot, env: { GATEWAY_API_KEY: gateway.profile.keys.valid, HTTPS_PROXY: url } },
  );
  expect(stdout).toMatch(/CONFORMS/);
  expect([...new Set(requests)]).toEqual(['CONNECT 127.0.0.1.example:443']);
  expect(code).toBe(0);
  const trusted = await runInProcess(
    ['clients', '--base-url', await serveWithTls(gateway.url, 'good'), '--ca', authority, '--sdk', 'openai'],
    { cwd: packageRoot, env: { GATEWAY_API_KEY: gateway.profile.keys.valid } },
  );
  expect(trusted.code).toBe(0);
});
