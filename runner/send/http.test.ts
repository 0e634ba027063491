import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { encodeBody } from '../exchange/decode.ts';
import type { Result, WireRequest } from '../exchange/exchange.ts';
import { defaultLimits } from './deadline.ts';
import { openTransport } from './http.ts';

const request: WireRequest = { method: 'GET', path: '/', headers: {}, body: undefined };
const response = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';

/** Sends requests one after the other to a server that calls `onRequest` for each request. */
async function sendTo(
  requests: number,
  onRequest: (socket: Socket, of: { readonly request: number; readonly connection: number }) => void,
): Promise<{ readonly results: readonly Result[]; readonly connections: number }> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    let seen = 0;
    socket.on('error', () => {});
    socket.on('data', () => {
      seen += 1;
      onRequest(socket, { request: seen, connection });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const transport = openTransport(`http://127.0.0.1:${port}`, { connections: 1, limits: defaultLimits });
  onTestFinished(async () => {
    await transport.close();
    server.close();
  });
  const results: Result[] = [];
  for (let sent = 0; sent < requests; sent += 1)
    results.push(await transport.send(request, { mustSucceed: false }));
  return { results, connections };
}

const statuses = (results: readonly Result[]): (number | string)[] =>
  results.map((result) => (result.kind === 'answer' ? result.answer.status : result.failure.reason));

test.each<[string, (socket: Socket) => void]>([
  ['closed', (socket) => socket.end()],
  ['reset', (socket) => socket.resetAndDestroy()],
])('retries a request on a new connection if an idle connection is %s', async (_, breakOff) => {
  const { results, connections } = await sendTo(3, (socket, of) => {
    if (of.request === 1) socket.write(response);
    else breakOff(socket);
  });
  expect(statuses(results)).toEqual([200, 200, 200]);
  expect(connections).toBeGreaterThan(1);
});

test('does not retry a request if a new connection is closed', async () => {
  const { results, connections } = await sendTo(1, (socket) => socket.resetAndDestroy());
  expect(statuses(results)).toEqual(['reset']);
  expect(connections).toBe(1);
});

test('fails if the second connection is closed, too', async () => {
  const { results, connections } = await sendTo(2, (socket, of) => {
    if (of.request === 1 && of.connection === 1) socket.write(response);
    else socket.resetAndDestroy();
  });
  expect(statuses(results)).toEqual([200, 'reset']);
  expect(connections).toBe(2);
});

test('does not retry a request after the first byte of a response', async () => {
  const { results, connections } = await sendTo(2, (socket, of) => {
    if (of.request === 1) socket.write(response);
    else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{');
  });
  expect(statuses(results)).toEqual([200, 'reset']);
  expect(connections).toBe(1);
});

test.each<[string, string, number | undefined]>([
  ['a body shorter than its length', 'HTTP/1.1 400 Bad\r\ncontent-length: 20\r\n\r\n{', 400],
  ['a chunk without the last one', 'HTTP/1.1 400 Bad\r\ntransfer-encoding: chunked\r\n\r\n1\r\n{\r\n', 400],
  ['headers without their end', 'HTTP/1.1 400 Bad\r\ncontent-le', undefined],
  ['no byte', '', undefined],
])('has the status of a response that ends after %s', async (_, written, status) => {
  const { results } = await sendTo(1, (socket) => socket.end(written));
  expect(results.map((result) => result.kind === 'failure' && result.failure.cutStatus)).toEqual([status]);
});

test.each<[string, string, string]>([
  ['text as UTF-8', 'é😀', 'c3a9f09f9880'],
  ['an unpaired character as a byte', 'é\udce9😀', 'c3a9e9f09f9880'],
  ['a pair whose second half could be a byte', '\ud83d\udc80', 'f09f9280'],
])('encodes %s', (_, body, hex) => {
  expect(Buffer.from(encodeBody(body)).toString('hex')).toBe(hex);
});
