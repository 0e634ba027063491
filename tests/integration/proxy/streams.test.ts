import { once } from 'node:events';
import { get, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  connectTo,
  openRecordingProxy,
  type RawConnection,
  serve,
  serveOneConnection,
  serveSockets,
} from '../../support/raw-http.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const mebibyte = 1024 * 1024;
const large = 256 * mebibyte;
const chunk = Buffer.alloc(64 * 1024, 'x');
const events = { 'content-type': 'text/event-stream' };

/**
 * Writes pieces as fast as the other side reads, until at least `bytes` bytes are written or the other side closes the
 * connection. Returns the number of written bytes.
 */
async function pour(
  to: NodeJS.WritableStream & { readonly destroyed?: boolean },
  bytes: number,
  piece: Buffer,
  onWritten: (bytes: number) => void = () => {},
): Promise<number> {
  let written = 0;
  const gone = once(to, 'close');
  while (written < bytes && !to.destroyed) {
    written += piece.length;
    const goesOn = to.write(piece);
    onWritten(written);
    if (!goesOn) await Promise.race([once(to, 'drain'), gone]);
  }
  to.end();
  return written;
}

/** Returns the size of all buffers in use, after garbage collection, in bytes. */
function bufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

describe('a response', () => {
  test('is forwarded piece by piece, without waiting for the next piece', async () => {
    let acknowledge = (): void => {};
    const gateway = await serve(async (asked, response) => {
      if (asked.url === '/ack') {
        acknowledge();
        response.end();
        return;
      }
      response.writeHead(200, events).flushHeaders();
      for (const piece of ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']) {
        await new Promise<void>((resolve) => {
          acknowledge = resolve;
        });
        response.write(piece);
      }
      response.end();
    });
    const proxy = await openRecordingProxy(gateway);
    const client = connectTo(proxy);
    client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
    await client.waitFor(/\r\n\r\n/);
    for (const number of ['1', '2', '3']) {
      await fetch(`${gateway}/ack`);
      await client.waitFor(new RegExp(`data: ${number}`));
    }
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed?.result).toMatchObject({
      answer: { pieces: 3, text: 'data: 1\n\ndata: 2\n\ndata: 3\n\n', content: { kind: 'text' } },
    });
  });

  test('is read no faster by the proxy than by the client', async () => {
    let written = 0;
    const gateway = await serve((_, response) => {
      void pour(response, large, chunk, (bytes) => {
        written = bytes;
      });
    });
    const proxy = await openRecordingProxy(gateway);
    const [answer] = await once(get(proxy.url), 'response');
    for (let before = -1; before !== written; ) {
      before = written;
      await sleep(300);
    }
    expect(written).toBeLessThan(64 * mebibyte);
    let read = 0;
    for await (const piece of answer) read += piece.length;
    expect(read).toBe(large);
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed?.result).toMatchObject({
      answer: {
        size: large,
        content: { kind: 'unreadable', reason: 'the body is longer than 1048576 bytes' },
      },
    });
  });

  test('of 256 MiB uses less than a quarter of this size in memory', async () => {
    const gateway = await serve((_, response) => void pour(response, large, chunk));
    const proxy = await openRecordingProxy(gateway);
    const before = bufferBytes();
    const [answer] = await once(get(proxy.url), 'response');
    let read = 0;
    let most = 0;
    for await (const piece of answer) {
      if (read % (16 * mebibyte) > (read + piece.length) % (16 * mebibyte))
        most = Math.max(most, bufferBytes() - before);
      read += piece.length;
    }
    expect(read).toBe(large);
    expect(most).toBeLessThan(large / 4);
  });

  test('without end is read until the client disconnects, and only its beginning and its error event are kept', async () => {
    const piece = Buffer.from(`data: ${'x'.repeat(1000)}\n\n`);
    const error = Buffer.from('event: error\ndata: {"error":{"type":"late"}}\n\n');
    let ended: Promise<number> | undefined;
    const gateway = await serve(async (_, response) => {
      response.writeHead(200, events);
      for (let count = 0; count < 200; count += 1) response.write(piece);
      response.write(error);
      ended = pour(response, Number.POSITIVE_INFINITY, piece);
    });
    const proxy = await openRecordingProxy(gateway);
    const [answer] = await once(get(proxy.url), 'response');
    let read = 0;
    for await (const part of answer) {
      read += part.length;
      if (read > 4 * mebibyte) break;
    }
    answer.destroy();
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed?.ended).toBe('cut-by-client');
    if (passed?.result.kind !== 'answer') throw new Error('No response was reported.');
    const { text, size, content } = passed.result.answer;
    expect(text.length).toBeLessThan(66 * 1024);
    expect(text.endsWith(error.toString())).toBe(true);
    expect(size).toBeGreaterThan(4 * mebibyte);
    expect(content).toEqual({ kind: 'text' });
    expect(await ended).toBeGreaterThan(3 * mebibyte);
  });

  test('that is compressed is forwarded unchanged and reported decoded', async () => {
    const packed = gzipSync('{"ok":true}');
    const gateway = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
    });
    const proxy = await openRecordingProxy(gateway);
    const [answer] = await once(get(proxy.url), 'response');
    const read: Buffer[] = [];
    for await (const part of answer) read.push(part);
    expect(Buffer.concat(read)).toEqual(packed);
    expect((await proxy.waitForExchanges(1))[0]?.result).toMatchObject({
      answer: { text: '{"ok":true}', content: { kind: 'json', value: { ok: true } } },
    });
  });
});

test('a body with too many content codings is forwarded unchanged and reported as not decoded', async () => {
  const coding = Array.from({ length: 2_500 }, () => 'gzip').join(',');
  const packed = gzipSync(gzipSync('{}'));
  const gateway = await serve((asked, response) => {
    asked.resume().on('end', () => response.writeHead(200, { 'content-encoding': coding }).end(packed));
  });
  const proxy = await openRecordingProxy(gateway);
  const options = { method: 'POST', headers: { 'content-encoding': coding } };
  const [answer] = await once(request(proxy.url, options).end(packed), 'response');
  const read: Buffer[] = [];
  for await (const part of answer) read.push(part);
  expect(Buffer.concat(read)).toEqual(packed);
  const reason = 'the body has 2500 content codings, but at most 5 are decoded';
  expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
    requestUnreadable: reason,
    result: { answer: { content: { kind: 'unreadable', reason } } },
  });
});

describe('a request', () => {
  test('of 256 MiB uses less than a quarter of this size in memory', async () => {
    let received = 0;
    let most = 0;
    const gateway = await serve(async (asked, response) => {
      for await (const piece of asked) {
        if (received % (16 * mebibyte) > (received + piece.length) % (16 * mebibyte))
          most = Math.max(most, bufferBytes() - before);
        received += piece.length;
      }
      response.end('got it');
    });
    const proxy = await openRecordingProxy(gateway);
    const before = bufferBytes();
    const upload = request(proxy.url, { method: 'POST' });
    const answered = once(upload, 'response');
    await pour(upload, large, chunk);
    const [answer] = await answered;
    await once(answer.resume(), 'end');
    expect(received).toBe(large);
    expect(most).toBeLessThan(large / 4);
    const [passed] = await proxy.waitForExchanges(1);
    expect(passed?.requestUnreadable).toBe('the body is longer than 8388608 bytes');
    expect(passed?.request.body).toHaveLength(8 * mebibyte);
  });

  test('gets its response piece by piece while the request is still being sent', async () => {
    const gateway = await serve((asked, response) => void asked.pipe(response));
    const client = connectTo(await openRecordingProxy(gateway));
    client.send('POST / HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (const word of ['one', 'two', 'six']) {
      client.send(`3\r\n${word}\r\n`);
      await client.waitFor(new RegExp(`3\r\n${word}\r\n`));
    }
    client.send('0\r\n\r\n');
    await client.waitFor(/0\r\n\r\n$/);
  });

  test('that is refused before its end gets its response, and the connection stays open', async () => {
    const gateway = await serveSockets((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig')),
    );
    const proxy = await openRecordingProxy(gateway);
    const client = connectTo(proxy);
    client.send(`POST / HTTP/1.1\r\nHost: p\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(1_000_000)}`);
    await client.waitFor(/413 Too Large.*big$/s);
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
      ended: 'whole',
      requestUnreadable: 'the client did not send the whole body',
      result: { answer: { status: 413, text: 'big' } },
    });
    client.send(`${'x'.repeat(1_000_000)}GET / HTTP/1.1\r\nHost: p\r\n\r\n`);
    await client.waitFor(/big.*413 Too Large.*big$/s);
  });

  test('that is compressed is reported decoded', async () => {
    const proxy = await openRecordingProxy(
      await serve((asked, response) => void asked.resume().on('end', () => response.end())),
    );
    await fetch(proxy.url, {
      method: 'POST',
      body: gzipSync('{"model":"m"}'),
      headers: { 'content-encoding': 'gzip' },
    });
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
      request: { body: '{"model":"m"}' },
      requestUnreadable: undefined,
    });
  });
});

describe('if one side closes the connection', () => {
  test.each([
    {
      when: 'before a response',
      answer: '',
      result: {
        failure: {
          reason: 'other',
          detail: 'the client closed the connection before a response was received',
        },
      },
    },
    {
      when: 'during a response',
      answer: 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf',
      result: {
        answer: {
          text: 'half',
          content: {
            kind: 'unreadable',
            reason: 'the client closed the connection before the end of the body',
          },
        },
      },
    },
  ])('the gateway connection is closed when a client disconnects $when', async ({ answer, result }) => {
    const gateway = await serveOneConnection();
    const proxy = await openRecordingProxy(gateway.baseUrl);
    const client = connectTo(proxy);
    client.send('GET /left HTTP/1.1\r\nHost: p\r\n\r\n');
    const line = await gateway.line;
    await line.waitFor(/\r\n\r\n$/);
    line.send(answer);
    if (answer !== '') await client.waitFor(/half$/);
    client.socket.destroy();
    await line.waitForEnd();
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({ ended: 'cut-by-client', result });
    expect(proxy.countActive()).toBe(0);
  });

  test('a client that closes its side after the request gets the response', async () => {
    const gateway = await serveOneConnection();
    const proxy = await openRecordingProxy(gateway.baseUrl);
    const client = connectTo(proxy);
    client.send('GET /half HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n');
    client.socket.end();
    const line = await gateway.line;
    await line.waitFor(/\r\n\r\n$/);
    line.send('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalf');
    await client.waitFor(/half$/);
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
      ended: 'whole',
      result: { kind: 'answer' },
    });
  });

  describe.each([
    { how: 'with a length', head: 'Content-Length: 100', body: 'half' },
    { how: 'in chunks', head: 'Transfer-Encoding: chunked', body: '4\r\nhalf\r\n' },
  ])('the gateway never gets the end of a body $how', ({ head, body }) => {
    test.each<{ about: string; leave: (client: RawConnection) => void }>([
      { about: 'disconnects', leave: ({ socket }) => void socket.destroy() },
      { about: 'resets the connection', leave: ({ socket }) => void socket.resetAndDestroy() },
      { about: 'closes its side', leave: ({ socket }) => void socket.end() },
    ])('if the client $about before it', async ({ leave }) => {
      const gateway = await serveOneConnection();
      const proxy = await openRecordingProxy(gateway.baseUrl);
      const client = connectTo(proxy);
      client.send(`POST / HTTP/1.1\r\nHost: p\r\n${head}\r\n\r\n${body}`);
      const line = await gateway.line;
      await line.waitFor(/half(\r\n)?$/);
      leave(client);
      expect(await line.waitForEnd()).toMatch(/half(\r\n)?$/);
      expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
        ended: 'cut-by-client',
        requestUnreadable: 'the client did not send the whole body',
      });
    });
  });

  test.each([
    { how: 'with a chunked body', head: 'Transfer-Encoding: chunked', body: '4\r\nhalf\r\n', reset: false },
    { how: 'with a content length', head: 'Content-Length: 9', body: 'half', reset: true },
  ])(
    'the client connection is closed when the gateway cuts off a response $how',
    async ({ head, body, reset }) => {
      const gateway = await serveOneConnection();
      const proxy = await openRecordingProxy(gateway.baseUrl);
      const client = connectTo(proxy);
      client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
      const line = await gateway.line;
      line.send(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
      await client.waitFor(/half(\r\n)?$/);
      if (reset) line.socket.resetAndDestroy();
      else line.socket.destroy();
      expect(await client.waitForEnd()).toMatch(/half(\r\n)?$/);
      expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
        ended: 'cut-by-gateway',
        result: {
          answer: {
            text: 'half',
            content: {
              kind: 'unreadable',
              reason: 'the gateway closed the connection before the end of the body',
            },
          },
        },
      });
    },
  );

  test('a stream that is open when the proxy closes is reported with the data so far', async () => {
    const gateway = await serve((_, response) => void response.writeHead(200, events).write('data: 1\n\n'));
    const proxy = await openRecordingProxy(gateway);
    const client = connectTo(proxy);
    client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
    await client.waitFor(/data: 1/);
    expect(proxy.countActive()).toBe(1);
    await proxy.close();
    await client.waitForEnd();
    expect((await proxy.waitForExchanges(1))[0]).toMatchObject({
      ended: 'cut-by-proxy',
      result: { answer: { status: 200, text: 'data: 1\n\n', content: { kind: 'text' } } },
    });
  });
});
