import { once } from 'node:events';
import { createServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectTo, openRecordingProxy, serve, serveSockets } from '../../support/raw-http.ts';
import { serveWithTls } from '../../support/tls-servers.ts';

/** Returns a base URL with a port on which nothing listens. */
async function unusedBaseUrl(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

describe('the proxy returns its own 502 response if the gateway', () => {
  test.each([
    { about: 'does not listen', gateway: unusedBaseUrl, reason: 'refused' },
    {
      about: 'has an unknown host name',
      gateway: async () => 'http://gateway.invalid',
      reason: 'unresolved',
    },
    {
      about: 'resets the connection',
      gateway: () => serveSockets((socket) => socket.once('data', () => socket.resetAndDestroy())),
      reason: 'reset',
    },
    {
      about: 'closes the connection',
      gateway: () => serveSockets((socket) => socket.once('data', () => socket.end())),
      reason: 'reset',
    },
    {
      about: 'does not use HTTP',
      gateway: () => serveSockets((socket) => socket.once('data', () => socket.end('SSH-2.0-x\r\n'))),
      reason: 'protocol',
    },
    {
      about: 'switches protocols without a request',
      gateway: () =>
        serveSockets((socket) =>
          socket.once('data', () =>
            socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
          ),
        ),
      reason: 'reset',
    },
  ])('$about', async ({ gateway, reason }) => {
    const proxy = await openRecordingProxy(await gateway());
    const response = await fetch(`${proxy.url}/v1/x`, {
      method: 'POST',
      body: 'x',
      headers: { authorization: 'Bearer sk-1' },
    });
    expect(response.status).toBe(502);
    expect(response.headers.get('x-conformance-proxy')).toBe('error');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({ proxy: 'model-gateway-conformance', error: expect.any(String) });
    expect(text).not.toContain('sk-1');
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed).toMatchObject({
      ended: 'whole',
      request: { body: 'x' },
      result: { kind: 'failure', failure: { reason } },
    });
  });

  test('is unreachable, for each of three large requests', async () => {
    const proxy = await openRecordingProxy(await unusedBaseUrl());
    const big = 'x'.repeat(3_000_000);
    const statuses = [];
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch(proxy.url, { method: 'POST', body: big });
      await response.text();
      statuses.push(response.status);
    }
    expect(statuses).toEqual([502, 502, 502]);
  });
});

test('each client connection has one gateway connection, which is reused', async () => {
  const sockets = new Set<unknown>();
  const gateway = await serve(({ socket }, response) => {
    sockets.add(socket);
    response.end('ok');
  });
  const proxy = await openRecordingProxy(gateway);
  for (const connections of [1, 2]) {
    const client = connectTo(proxy);
    for (let count = 1; count <= 10; count += 1) {
      client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
      await client.waitFor(new RegExp(`^(.*ok){${count}}$`, 's'));
    }
    expect(sockets.size).toBe(connections);
  }
  expect((await proxy.waitForExchanges(20)).map(({ id }) => id)).toEqual(
    Array.from({ length: 20 }, (_, index) => `request ${index + 1}`),
  );
});

test('a gateway that remembers the first key of a connection mixes up no clients', async () => {
  const gateway = await serveSockets((socket) => {
    let first: string | undefined;
    socket.on('data', (piece) => {
      first ??= /x-api-key: (\w+)/.exec(piece.toString())?.[1];
      const text = `key ${first};`;
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`);
    });
  });
  const proxy = await openRecordingProxy(gateway);
  const clients = ['one', 'two', 'three'].map((key) => ({ key, client: connectTo(proxy) }));
  for (const count of [1, 2]) {
    for (const { key, client } of clients) {
      client.send(`GET / HTTP/1.1\r\nHost: p\r\nx-api-key: ${key}\r\n\r\n`);
      await client.waitFor(new RegExp(`^([^;]*key ${key};){${count}}$`));
    }
    // The next client must not get the connection of a client that has gone.
    clients.shift()?.client.socket.destroy();
  }
});

test('a port that is in use is an error', async () => {
  const proxy = await openRecordingProxy('http://127.0.0.1:9');
  await expect(
    import('../../../runner/traffic/proxy/open-proxy.ts').then(({ openProxy }) =>
      openProxy({ baseUrl: 'http://127.0.0.1:9', port: proxy.port, onExchange: () => {} }),
    ),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

describe('a gateway with TLS', () => {
  async function serveSecurely(): Promise<string> {
    return serveWithTls(await serve((_, response) => response.end('secure')), 'good');
  }

  test('is reached', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const proxy = await openRecordingProxy(await serveSecurely());
    expect(await (await fetch(proxy.url)).text()).toBe('secure');
  });

  test('with an untrusted certificate gets no requests', async () => {
    const proxy = await openRecordingProxy(await serveSecurely());
    expect((await fetch(proxy.url)).status).toBe(502);
    expect((await proxy.waitForExchanges(1))[0]?.result).toMatchObject({ failure: { reason: 'tls' } });
  });
});

test('a request with headers that are too long is refused with a message that names the limit', async () => {
  const proxy = await openRecordingProxy(await serve((_request, response) => response.end()));
  const client = connectTo(proxy);
  client.send(`GET / HTTP/1.1\r\nx-long: ${'x'.repeat(300 * 1024)}\r\n\r\n`);
  await client.waitFor(/HTTP\/1.1 431 /);
  const detail = 'The headers of the request are longer than 256 KiB.';
  expect(proxy.refused).toMatchObject([{ reason: 'malformed', status: 431, detail }]);
});

test.each([
  ['closes', (socket: Socket) => void socket.destroy()],
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
])('a client that %s the connection during the response has sent no malformed request', async (_, abort) => {
  const proxy = await openRecordingProxy(
    await serve((request, response) => {
      request.resume();
      response.writeHead(200);
      const tick = setInterval(() => response.write('x'.repeat(20_000)), 1);
      response.on('close', () => clearInterval(tick));
    }),
  );
  const count = 20;
  for (let index = 0; index < count; index += 1) {
    const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => {});
    socket.write('POST /v1/x HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 2\r\n\r\n{}');
    socket.once('data', () => abort(socket));
  }
  const exchanges = await proxy.waitForExchanges(count);
  expect(new Set(exchanges.map(({ ended }) => ended))).toEqual(new Set(['cut-by-client']));
  expect(proxy.refused).toEqual([]);
});
