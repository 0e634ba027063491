import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectTo, openRecordingProxy, serveSockets } from '../../support/raw-http.ts';

const mebibyte = 1024 * 1024;

test('the proxy reads interim responses no faster than the client', async () => {
  const hint = Buffer.from(`HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(64 * 1024)}\r\n\r\n`);
  let written = 0;
  const gateway = await serveSockets((socket) => {
    const pour = (): void => {
      do written += hint.length;
      while (socket.write(hint));
    };
    socket.on('drain', pour).once('data', pour);
  });
  const proxy = await openRecordingProxy(gateway);
  const client = connectTo(proxy);
  client.socket.pause();
  client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
  for (let last = -1; last !== written || written === 0; ) {
    last = written;
    await sleep(300);
  }
  // The limit allows for the socket buffers of the system. Unlimited, 10,000 interim responses take more than 600 MiB.
  expect(written).toBeLessThan(64 * mebibyte);
  const before = written;
  client.socket.resume();
  while (written < before + 16 * mebibyte) await sleep(10);
});

test('an endless sequence of interim responses is stopped', async () => {
  const gateway = await serveSockets((socket) => {
    const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100));
    const pour = (): void => {
      while (!socket.destroyed && socket.write(hints));
    };
    socket.on('drain', pour).once('data', pour);
  });
  const proxy = await openRecordingProxy(gateway);
  const client = connectTo(proxy);
  client.send('GET / HTTP/1.1\r\nHost: p\r\n\r\n');
  const [passed] = await proxy.waitForExchanges(1);
  const detail = 'more than 10000 interim responses (1xx) arrived before the response';
  expect(passed?.result).toEqual({ kind: 'failure', failure: { reason: 'protocol', detail } });
  const received = await client.waitFor(/\r\n\r\nHTTP\/1\.1 502 .*interim/s);
  expect(received.match(/103 Early Hints/g)).toHaveLength(10_000);
});
