import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Refusal } from '../../runner/traffic/proxy/admit-request.ts';
import type { CapturedExchange } from '../../runner/traffic/proxy/capture.ts';
import { openProxy, type RunningProxy } from '../../runner/traffic/proxy/open-proxy.ts';

/** A proxy, and the exchanges that the proxy reported. */
export interface RecordingProxy extends RunningProxy {
  /** Waits for this number of finished exchanges, and returns the exchanges. */
  readonly waitForExchanges: (count: number) => Promise<readonly CapturedExchange[]>;
  /** The finished exchanges. */
  readonly exchanges: readonly CapturedExchange[];
  /** The requests that the proxy refused. */
  readonly refused: readonly Refusal[];
}

/** Opens a proxy to a base URL. By default, the proxy allows every host. The proxy closes when the test ends. */
export async function openRecordingProxy(
  baseUrl: string,
  allowHosts: readonly string[] = ['*'],
): Promise<RecordingProxy> {
  const exchanges: CapturedExchange[] = [];
  const refused: Refusal[] = [];
  let wake = (): void => {};
  const proxy = await openProxy({
    baseUrl,
    port: 0,
    allowHosts,
    onExchange: (item) => {
      exchanges.push(item);
      wake();
    },
    onRefused: (refusal) => void refused.push(refusal),
  });
  onTestFinished(() => proxy.close());
  return {
    ...proxy,
    exchanges,
    refused,
    waitForExchanges: async (count) => {
      while (exchanges.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return exchanges.slice(0, count);
    },
  };
}

/**
 * Starts an HTTP server, and returns its base URL. `prepare` can change the server before the server listens. The
 * server stops when the test ends.
 */
export async function serve(listener: RequestListener, prepare?: (server: Server) => void): Promise<string> {
  const server = createServer(listener);
  prepare?.(server);
  return listen(server, () => server.closeAllConnections());
}

/** Starts a TCP server, and returns its address as an HTTP base URL. The server stops when the test ends. */
export async function serveSockets(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onSocket(socket);
  });
  return listen(server, () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function listen(server: TcpServer, cutAll: () => void): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    cutAll();
    await closed;
  });
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return `http://127.0.0.1:${address.port}`;
}

/** One side of a TCP connection. */
export interface RawConnection {
  readonly socket: Socket;
  readonly send: (text: string) => void;
  /** Returns the text received so far. */
  readonly received: () => string;
  /**
   * Waits until the received text matches, and returns the text. Rejects if the connection ends before the text
   * matches.
   */
  readonly waitFor: (pattern: RegExp) => Promise<string>;
  /** Waits for the end of the connection, and returns the received text. */
  readonly waitForEnd: () => Promise<string>;
}

/** Wraps a socket. Bytes are read and written as Latin-1. */
export function wrapSocket(socket: Socket): RawConnection {
  let heard = '';
  let isOver = false;
  let wake = (): void => {};
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1');
    wake();
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isOver = true;
      wake();
    });
  const until = async (isDone: () => boolean): Promise<string> => {
    while (!isDone()) {
      if (isOver) throw new Error(`The connection ended after: ${heard}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return heard;
  };
  return {
    socket,
    send: (text) => void socket.write(text, 'latin1'),
    received: () => heard,
    waitFor: (pattern) => until(() => pattern.test(heard)),
    waitForEnd: () => until(() => isOver),
  };
}

/** Opens a TCP connection to a proxy, for a client that sends raw bytes. The connection closes when the test ends. */
export function connectTo(proxy: Pick<RunningProxy, 'port'>): RawConnection {
  const socket = connect(proxy.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  return wrapSocket(socket);
}

/** Starts a TCP server, and returns its address as an HTTP base URL and a promise of its first connection. */
export async function serveOneConnection(): Promise<{
  readonly baseUrl: string;
  readonly line: Promise<RawConnection>;
}> {
  let take: (line: RawConnection) => void = () => {};
  const line = new Promise<RawConnection>((resolve) => {
    take = resolve;
  });
  return { baseUrl: await serveSockets((socket) => take(wrapSocket(socket))), line };
}
