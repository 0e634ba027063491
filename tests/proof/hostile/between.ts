import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Misbehave } from './behaviour.ts';

/** A server that passes requests on to a gateway, but for one kind, to which it does something else. */
export interface Between {
  readonly url: string;
  /** How often it misbehaved. */
  readonly times: () => number;
  readonly close: () => Promise<void>;
}

/** Puts a server of raw sockets before a gateway on this machine; every connection carries one request. */
export async function openBetween(
  gatewayUrl: string,
  isMeant: (head: string) => boolean,
  misbehave: Misbehave,
): Promise<Between> {
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
      if (isMeant(read.slice(0, end))) {
        times += 1;
        misbehave(socket, read);
        return;
      }
      const behind = keep(connect(Number(gatewayPort), '127.0.0.1'));
      behind.write(
        read.replace(/^connection: .*\r\n/im, '').replace('\r\n', '\r\nconnection: close\r\n'),
        'latin1',
      );
      behind.pipe(socket);
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
