import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReferenceServer, type ReferenceServer } from '../reference-server/index.ts';
import type { Report } from '../runner/report/report.ts';
import { conformance } from './command.ts';

const certificates = join(import.meta.dirname, 'certificates');
const authority = join(certificates, 'authority.pem');
const only = ['--only', 'auth/missing-credential', '--suite', 'auth', '--reporter', 'json'];

const open: { readonly close: () => unknown }[] = [];
let gateway: ReferenceServer;
beforeAll(async () => {
  gateway = await createReferenceServer();
});
afterAll(async () => {
  for (const server of open) server.close();
  await gateway.close();
});

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

/** The gateway behind TLS, with one of the certificates. */
async function behindTls(name: string): Promise<string> {
  const pem = readFileSync(join(certificates, `${name}.pem`));
  const port = await listen(
    createTlsServer({ key: pem, cert: pem }, (socket) => {
      const behind = connect(Number(new URL(gateway.url).port), '127.0.0.1');
      socket.on('error', () => behind.destroy());
      behind.on('error', () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    }),
  );
  return `https://127.0.0.1:${port}`;
}

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
    const { code, report } = await judged(await behindTls(name), flags);
    expect(JSON.stringify(report.diagnosis)).toMatch(cause);
    expect({ code, sent: report.summary.cases.violates }).toEqual({ code: 3, sent: 0 });
  });
  test('is trusted with --ca', async () => {
    const { code, stderr } = await judged(await behindTls('good'), ['--ca', authority]);
    expect(stderr).not.toContain('--insecure');
    expect(code).toBe(0);
  });
  test.each(['good', 'expired', 'other'])(
    'is not looked at with --insecure, and that is said: %s',
    async (name) => {
      const { code, stderr } = await judged(await behindTls(name), ['--insecure']);
      expect(stderr).toContain('--insecure: nobody proves to be who they say');
      expect(code).toBe(0);
    },
  );
  test.each([
    ['that is not there', 'nowhere.pem', /nowhere\.pem can't be read/],
    ['that is none', join(import.meta.dirname, 'reach.test.ts'), /has no certificate as PEM/],
  ])('file %s is told as a mistake', async (_, file, told) => {
    const { code, stderr } = await conformance(['run', '--base-url', 'https://127.0.0.1:1', '--ca', file], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789' },
    });
    expect(stderr).toMatch(told);
    expect(code).toBe(2);
  });
});

/** A proxy that notes what it is asked for. Every name leads to this machine. */
async function openForwardProxy(target: () => number): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createHttpServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const passed = httpRequest({
      port: target(),
      host: '127.0.0.1',
      method,
      headers,
      path: pathname + search,
    });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(response);
    });
    request.pipe(passed);
  }).on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const behind = connect(target(), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(behind).pipe(socket);
    });
    behind.on('error', () => socket.destroy());
    socket.on('error', () => behind.destroy());
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, asked };
}

describe('a proxy', () => {
  const port = (url: string): number => Number(new URL(url).port);
  test('passes requests to a plain address on as they are', async () => {
    const { url, asked } = await openForwardProxy(() => port(gateway.url));
    const { code } = await judged('http://gateway.example', [], { HTTP_PROXY: url });
    expect(code).toBe(0);
    expect(new Set(asked.map((line) => line.replace(/\?.*/, '')))).toContain(
      'POST http://gateway.example/v1/chat/completions',
    );
  });
  test('passes TLS through, and never sees a key', async () => {
    const tls = await behindTls('good');
    const { url, asked } = await openForwardProxy(() => port(tls));
    const { code } = await judged('https://gateway.example', ['--insecure'], { https_proxy: url });
    expect(code).toBe(0);
    expect([...new Set(asked)]).toEqual(['CONNECT gateway.example:443']);
  });
  test.each([
    ['NO_PROXY names the gateway', { NO_PROXY: '.example' }, 'http://gateway.example'],
    ['the gateway is on this machine', {}, ''],
  ])('is not asked where %s', async (_, env, url) => {
    const proxy = await openForwardProxy(() => port(gateway.url));
    const { report } = await judged(url || gateway.url, [], { HTTP_PROXY: proxy.url, ...env });
    expect(proxy.asked).toEqual([]);
    expect(report.verdict).toBe(url ? 'inconclusive' : 'conforms');
  });
  test('whose address is none is told as a mistake', async () => {
    const { code, stderr } = await conformance(['run', '--base-url', 'http://gateway.example'], {
      env: { GATEWAY_API_KEY: 'sk-reach-0123456789', HTTP_PROXY: 'proxy.example:3128' },
    });
    expect(stderr).toContain('HTTP_PROXY is no web address');
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
  test('but under IPv6 is judged there', async () => {
    const port6 = await listen(
      createServer((socket) => {
        const behind = connect(port(gateway.url), '127.0.0.1');
        socket.on('error', () => behind.destroy());
        socket.pipe(behind).pipe(socket);
      }),
      '::1',
    );
    expect((await judged(`http://[::1]:${port6}`)).code).toBe(0);
  });
});

function port(url: string): number {
  return Number(new URL(url).port);
}
