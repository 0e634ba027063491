import { once } from 'node:events';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { chat, reportOf, startGateway, startProxy } from '../../support/proxy-command.ts';
import { openRecordingProxy, serve } from '../../support/raw-http.ts';

type Headers = Readonly<Record<string, string>>;

/** Sends a request with the content type of plain text, as a page of another site can. */
async function ask(url: string, headers: Headers): Promise<{ status: number; text: string }> {
  const sent = { 'content-type': 'text/plain', ...headers };
  const asked = request(`${url}/v1/chat/completions`, { method: 'POST', headers: sent }).end('{}');
  const [response] = await once(asked, 'response');
  let text = '';
  for await (const piece of response) text += piece;
  return { status: response.statusCode, text };
}

const site = { origin: 'https://evil.example' };

const allowEvil = "Use --allow-host 'evil.example' to allow this host.";
const allowAll = "Use --allow-host '*' to allow all hosts.";

/** Sends a request with these headers through a new proxy. The host `GATEWAY` stands for the host of the gateway. */
async function askThroughProxy(headers: Headers, allow: string | undefined) {
  let count = 0;
  const gateway = await serve((_, response) => {
    count += 1;
    response.end();
  });
  const proxy = await openRecordingProxy(gateway, allow === undefined ? [] : [allow]);
  const { status, text } = await ask(proxy.url, {
    ...headers,
    ...(headers.host === 'GATEWAY' && { host: new URL(gateway).host }),
  });
  return { proxy, status, text, requests: () => count };
}

describe('the proxy', () => {
  test.each<{ about: string; headers: Headers; allow?: string }>([
    { about: 'to its own address', headers: {} },
    { about: 'to another port of this machine', headers: { host: 'localhost:1' } },
    { about: 'to the host of the gateway', headers: { host: 'GATEWAY' } },
    {
      about: 'from a page of this machine',
      headers: { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' },
    },
    { about: 'to an address that a user typed', headers: { 'sec-fetch-site': 'none' } },
    { about: 'from a page of the same origin', headers: { 'sec-fetch-site': 'same-origin' } },
    { about: 'to an allowed host', headers: { host: 'proxy.test:80' }, allow: 'proxy.test' },
    {
      about: 'from a page of an allowed host',
      headers: { origin: 'https://app.test', 'sec-fetch-site': 'cross-site' },
      allow: 'app.test',
    },
    { about: 'to any host if all are allowed', headers: { host: 'evil.example', ...site }, allow: '*' },
  ])('forwards a request $about', async ({ headers, allow }) => {
    const { proxy, status, requests } = await askThroughProxy(headers, allow);
    expect([status, requests(), proxy.refused]).toEqual([200, 1, []]);
    await proxy.waitForExchanges(1);
  });

  test.each<{ about: string; headers: Headers; allow?: string; reason: string; remedy: string }>([
    { about: 'to another host', headers: { host: 'evil.example:80' }, reason: 'host', remedy: allowEvil },
    {
      about: 'to a host name that begins with the address of this machine',
      headers: { host: '127.0.0.1.evil.example' },
      reason: 'host',
      remedy: "Use --allow-host '127.0.0.1.evil.example' to allow this host.",
    },
    { about: 'from a page of another site', headers: site, reason: 'cross-site', remedy: allowEvil },
    {
      about: 'from a page of another site to an allowed host',
      headers: { ...site, host: 'proxy.test' },
      allow: 'proxy.test',
      reason: 'cross-site',
      remedy: allowEvil,
    },
    {
      about: 'from a page without an origin',
      headers: { origin: 'null' },
      reason: 'cross-site',
      remedy: allowAll,
    },
    {
      about: 'for an image on a page of another site',
      headers: { 'sec-fetch-site': 'cross-site' },
      reason: 'cross-site',
      remedy: allowAll,
    },
  ])('refuses a request $about, with a remedy', async ({ headers, allow, reason, remedy }) => {
    const { proxy, status, text, requests } = await askThroughProxy(headers, allow);
    expect([status, requests(), proxy.exchanges]).toEqual([403, 0, []]);
    expect(proxy.refused.map((refusal) => refusal.reason)).toEqual([reason]);
    expect(JSON.parse(text)).toMatchObject({ proxy: 'model-gateway-conformance' });
    expect(text).toContain(remedy);
  });
});

test('the proxy checks the host of an absolute request target', async () => {
  const proxy = await openRecordingProxy(await serve((_, response) => void response.end()), []);
  const statuses = [];
  for (const path of ['http://evil.example/v1/models', 'http://localhost/v1/models']) {
    const asked = request(proxy.url, { path }).end();
    const [response] = await once(asked, 'response');
    response.resume();
    statuses.push(response.statusCode);
  }
  expect(statuses).toEqual([403, 200]);
});

describe('the proxy command', () => {
  const flags = ['--strict-client', '--reporter', 'json=report.json', '--reporter', 'terminal'];

  test('does not fail with --strict-client because of requests from pages of other sites', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, flags);
    await chat(proxy, gateway.profile.keys.valid);
    for (let count = 0; count < 3; count += 1)
      await ask(proxy.url, { ...site, 'sec-fetch-site': 'cross-site' });
    await ask(proxy.url, { host: 'evil.example' });
    await proxy.until(1, /The host evil\.example is not allowed/g);
    expect(await proxy.stop()).toBe(0);
    expect(proxy.stderr().match(/! Refused a request: .*/g)).toEqual([
      "! Refused a request: A web page of another site sent the request. Use --allow-host 'evil.example' to allow this host.",
      "! Refused a request: The host evil.example is not allowed. Use --allow-host 'evil.example' to allow this host.",
    ]);
    const { recording } = reportOf(proxy);
    expect([recording?.exchanges, recording?.client?.requests]).toEqual([1, 1]);
    expect(recording?.notJudged).toContainEqual(
      expect.objectContaining({
        reason: 'Refused by the proxy: request from a web page of another site.',
        count: 3,
      }),
    );
    expect(gateway.requests()).toHaveLength(1);
  });

  test('forwards and judges requests of other sites with --allow-host', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, [...flags, '--allow-host', 'evil.example']);
    expect((await ask(proxy.url, { host: 'evil.example', ...site })).status).toBe(401);
    expect(await proxy.stop()).toBe(1);
    expect(proxy.stdout()).toContain('client/one-header');
  });
});
