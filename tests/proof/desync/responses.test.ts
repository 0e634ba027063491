import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import {
  connectTo,
  openRecordingProxy,
  type RawConnection,
  type RecordingProxy,
  serveSockets,
} from '../../support/raw-http.ts';
import { type RawResponse, readResponses } from './read-responses.ts';
import { type ResponseRow, responseRows } from './responses.ts';

test.each(responseRows)('the proxy and a client interpret the same response: $name', async (row) => {
  const proxy = await openRecordingProxy(await serveSockets((socket) => respondWith(socket, row)));
  const { method = 'GET', gets } = row;
  const attacked = connectTo(proxy);
  attacked.send(`${method} /attack HTTP/1.1\r\nHost: p\r\n\r\n`);
  const [first] = await responsesTo(attacked, 1, method);
  const [passed] = await proxy.waitForExchanges(1);
  if (gets === 'refused') {
    expect(first).toMatchObject({ status: 502, head: expect.stringMatching(/x-conformance-proxy: error/i) });
    expect(passed?.result.kind).toBe('failure');
  } else if (gets === 'cut') {
    if (first) expect(first.status).toBe(502);
    else expect(passed?.ended).toBe('cut-by-gateway');
  } else {
    expect(first).toMatchObject(gets);
    if (row.head) expect(first?.head).toMatch(row.head);
    expect(passed).toMatchObject({
      ended: 'whole',
      result: { answer: { status: gets.status, text: gets.body } },
    });
  }
  // After this time, everything else that the gateway sends has arrived.
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (attacked.socket.closed) await expectOwnResponse(proxy, connectTo(proxy), '/next', 1, 'GET');
  else await expectOwnResponse(proxy, attacked, '/next', 2, method);
  await expectOwnResponse(proxy, connectTo(proxy), '/victim', 1, 'GET');
  expect(proxy.exchanges.map(({ request }) => new URL(request.url).pathname)).toEqual([
    '/attack',
    '/next',
    '/victim',
  ]);
});

/** Responds to `/attack` with the bytes of a row, and to any other request with its path. */
function respondWith(socket: Socket, { send, closes }: ResponseRow): void {
  socket.on('data', async (piece) => {
    const [, path = ''] = /^\w+ (\S+)/.exec(piece.toString('latin1')) ?? [];
    if (path !== '/attack')
      return void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
    for (const [index, part] of [send].flat().entries()) {
      if (index > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      socket.write(part, 'latin1');
    }
    if (closes) socket.end();
  });
}

/** Waits until a client has this number of responses or the connection ends, and returns the responses. */
async function responsesTo(
  line: RawConnection,
  count: number,
  first: string,
): Promise<readonly RawResponse[]> {
  for (;;) {
    const isEnded = line.socket.closed;
    const read = readResponses(line.received(), { isEnded, isFirstToHead: first === 'HEAD' });
    if (read.length >= count || isEnded) return read;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function expectOwnResponse(
  proxy: RecordingProxy,
  line: RawConnection,
  path: string,
  count: number,
  first: string,
): Promise<void> {
  line.send(`GET ${path} HTTP/1.1\r\nHost: p\r\n\r\n`);
  expect((await responsesTo(line, count, first))[count - 1]).toMatchObject({ status: 200, body: path });
  expect(line.received()).not.toMatch(/evil/i);
  await proxy.waitForExchanges(path === '/next' ? 2 : 3);
}
