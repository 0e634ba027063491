import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Misbehave } from './behaviour.ts';

/** A proxy that forwards requests to a gateway, but misbehaves for one kind of request. */
export interface FaultyProxy {
  readonly url: string;
  /** Returns the number of times that the proxy misbehaved. */
  readonly times: () => number;
  readonly close: () => Promise<void>;
}

/** Opens a raw-socket proxy for a gateway on this machine. Every connection transports one request. */
export async function openFaultyProxy(
  gatewayUrl: string,
  isSelected: (head: string) => boolean,
  misbehave: Misbehave,
): Promise<FaultyProxy> {
  const { port: gatewayPort } = new URL(gatewayUrl);
  const sockets = new Set<Socket>();
  let times = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    let read = '';
    keep(socket).on('data', function take(piece: Buffer) {
      read += piece.toString('latin1');
      const end = read.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/^content-length: *(\d+)/im.exec(read.slice(0, end))?.[1] ?? 0);
      if (read.length < end + 4 + length) return;
      socket.off('data', take);
      if (isSelected(read.slice(0, end))) {
        times += 1;
        misbehave(socket, read);
        return;
      }
      const upstream = keep(connect(Number(gatewayPort), '127.0.0.1'));
      upstream.write(
        read.replace(/^connection: .*\r\n/im, '').replace('\r\n', '\r\nconnection: close\r\n'),
        'latin1',
      );
      upstream.pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    times: () => times,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
