import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reporterNames } from '../../../runner/reporters/reporters.ts';
import { listFailedIds } from '../../support/check-command.ts';
import { conformance, createScratchFolder } from '../../support/command.ts';
import {
  badKey,
  chat,
  reportOf,
  startGateway,
  startProxy,
  unifiedErrorFault,
} from '../../support/proxy-command.ts';
import { serve } from '../../support/raw-http.ts';

const json = ['--reporter', 'json=report.json', '--reporter', 'terminal'];
const user = [{ role: 'user', content: 'hi' }];

describe('proxy, when stopped,', () => {
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
    await chat(proxy, badKey);
    expect(await proxy.stop()).toBe(1);
    expect(readdirSync(proxy.folder).sort()).toEqual([...reporterNames].sort());
    for (const name of reporterNames)
      expect(readFileSync(join(proxy.folder, name), 'utf8')).not.toMatch(/sk-valid|sk-no-one/);
    expect(proxy.said()).not.toMatch(/sk-valid|sk-no-one/);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends an endless stream on %s and judges the received part',
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
      const headers = { authorization: `Bearer ${badKey}`, 'content-type': 'application/json' };
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
      expect(listFailedIds(reportOf(proxy))).toEqual([]);
    },
  );

  test('exits with 3 if there was no traffic', async () => {
    const proxy = await startProxy('http://127.0.0.1:9', json);
    expect(await proxy.stop()).toBe(3);
    expect(proxy.stdout()).toContain('? INCONCLUSIVE');
  });

  test('exits with 3 if the gateway was unreachable, after the client got an error of the proxy', async () => {
    const proxy = await startProxy('http://127.0.0.1:9', json);
    const answer = await fetch(`${proxy.url}/v1/models`, { headers: { authorization: `Bearer ${badKey}` } });
    expect([answer.status, answer.headers.get('x-conformance-proxy')]).toEqual([502, 'error']);
    expect(await proxy.stop()).toBe(3);
    expect(listFailedIds(reportOf(proxy))).toEqual([]);
    expect(proxy.stdout()).toContain('No response was recorded.');
  });

  test('exits with 4 if a report cannot be written', async () => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, ['--reporter', 'json=report.json']);
    await chat(proxy, gateway.profile.keys.valid);
    mkdirSync(join(proxy.folder, 'report.json'));
    expect(await proxy.stop()).toBe(4);
    expect(proxy.stderr()).toContain('could not be written to "report.json" (EISDIR)');
  });
});

describe('proxy exits with 2 for', () => {
  test.each([
    ['no gateway', [], 'The base URL is missing.'],
    ['an invalid base URL', ['--base-url', 'gateway.example'], 'is not a valid URL'],
    ['an unknown reporter', ['--base-url', 'http://127.0.0.1:9', '--reporter', 'jsn'], 'Did you mean'],
    ['a profile that does not exist', ['--profile', 'none.yaml'], 'none.yaml'],
    ['an invalid port', ['--base-url', 'http://127.0.0.1:9', '--port', '70000'], '0 to 65535'],
  ])('%s', async (_, flags, says) => {
    const { code, stdout, stderr } = await conformance(['proxy', ...flags]);
    expect(stderr).toContain(says);
    expect([code, stdout]).toEqual([2, '']);
  });

  test.each(['--port', '--control-port'])('a used port in %s', async (flag) => {
    const taken = new URL(await serve(() => {})).port;
    const flags = ['--base-url', 'http://127.0.0.1:9', ...(flag === '--port' ? [] : ['--port', '0'])];
    const { code, stderr } = await conformance(['proxy', ...flags, flag, taken]);
    expect(stderr).toContain(`Port ${taken} is in use. Choose another port with ${flag} N`);
    expect(code).toBe(2);
  });
});

describe('proxy', () => {
  test('writes a baseline, and then exits with 0 if the baseline expects all violations', async () => {
    const gateway = await startGateway(unifiedErrorFault);
    const folder = createScratchFolder();
    const gate = ['--baseline', 'known.yaml'];
    const first = await startProxy(gateway.url, [...gate, '--update-baseline'], { folder });
    await chat(first, badKey);
    expect(await first.stop()).toBe(0);
    expect(first.stderr()).toContain('Updated known.yaml: 1 added');
    expect(readFileSync(join(folder, 'known.yaml'), 'utf8')).toContain('requirement: auth/bad-bearer-token');

    const second = await startProxy(gateway.url, gate, { folder });
    await chat(second, badKey);
    expect(await second.stop()).toBe(0);
    expect(second.stdout()).toContain('PASSED with ');

    writeFileSync(join(folder, 'known.yaml'), 'violations: []\n');
    const third = await startProxy(gateway.url, gate, { folder });
    await chat(third, badKey);
    expect(await third.stop()).toBe(1);
  });

  test.each([
    { flags: [], code: 0 },
    { flags: ['--strict-client'], code: 1 },
  ])('exits with $code with $flags if a client sends two credentials', async ({ flags, code }) => {
    const gateway = await startGateway();
    const proxy = await startProxy(gateway.url, [...json, ...flags]);
    const { valid } = gateway.profile.keys;
    await chat(proxy, valid);
    await fetch(`${proxy.url}/v1/models`, {
      headers: { authorization: `Bearer ${valid}`, 'x-api-key': valid },
    });
    expect(await proxy.stop()).toBe(code);
    expect(listFailedIds(reportOf(proxy))).toEqual([]);
    expect(proxy.stdout()).toMatch(/✗ client\/one-header {2}violated in 1 of 2/);
    expect(proxy.stdout().includes('✗ CLIENT VIOLATES client/one-header')).toBe(code === 1);
    expect(proxy.stdout()).toContain('The request has 2 credentials instead of 1.');
  });
});
