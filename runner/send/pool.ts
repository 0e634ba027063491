import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { formatSeconds } from '../../common/duration.ts';
import { type ConnectionOptions, tlsOf } from './connection-options.ts';
import { RequestAbortedError } from './deadline.ts';

export type { Dispatcher };

const errorSockets = new WeakMap<Error, { readonly bytesRead: number }>();

/**
 * Whether a connection that broke had received data before. A server may close a reused connection while the next
 * request is sent. Also returns true if the connection is unknown, as for connections through a proxy.
 */
export function brokeReusedConnection(error: unknown): boolean {
  const socket = error instanceof Error ? errorSockets.get(error) : undefined;
  return socket === undefined || socket.bytesRead > 0;
}

/** Opens a pool of connections to the host of a URL, through a proxy if `reach` states a proxy for this URL. */
export function openPool(
  baseUrl: string,
  {
    connections,
    connectMs,
    reach = {},
    onConnect,
  }: {
    readonly connections: number;
    readonly connectMs: number;
    readonly reach?: ConnectionOptions | undefined;
    /** Called when a connection was opened, except through a proxy. */
    readonly onConnect?: (() => void) | undefined;
  },
): Dispatcher {
  const tls = tlsOf(reach);
  // Each request has its own deadline instead of the timeouts of undici, which have a resolution of one second.
  const common = { connections, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = reach.proxy?.(baseUrl);
  if (!proxy)
    return new Pool(new URL(baseUrl).origin, {
      ...common,
      connect: connectWithin(connectMs, tls, onConnect),
    });
  return new ProxyAgent({
    ...common,
    uri: proxy,
    connect: { timeout: connectMs, ...tls },
    requestTls: { timeout: connectMs, ...tls },
    // Many proxies allow tunnels only for TLS, so requests to `http:` URLs use no tunnel.
    proxyTunnel: false,
  });
}

/**
 * Creates a function that opens a connection, or fails with a `RequestAbortedError` after `milliseconds`. The timeout
 * of undici closes the socket up to a second later.
 */
function connectWithin(
  milliseconds: number,
  tls: ReturnType<typeof tlsOf>,
  onConnect: (() => void) | undefined,
): buildConnector.connector {
  const connect = buildConnector({ timeout: milliseconds, ...tls });
  return (options, callback) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      const host = `${options.hostname}:${options.port || (options.protocol === 'https:' ? 443 : 80)}`;
      callback(
        new RequestAbortedError('timeout', `no connection to ${host} within ${formatSeconds(milliseconds)}`),
        null,
      );
    }, milliseconds);
    connect(options, (...result) => {
      clearTimeout(timer);
      const [, socket] = result;
      if (over) socket?.destroy();
      else {
        if (socket) {
          onConnect?.();
          ignoreContinue(socket);
          // This listener must run before undici passes the error to the request that waits for a response.
          socket.prependListener('error', (error) => errorSockets.set(error, socket));
        }
        callback(...result);
      }
    });
  };
}

const interim = /^HTTP\/1\.[01] 1\d\d[ \r]/;
/** The index of the last digit of the status in the first line of a response. */
const lastDigit = 'HTTP/1.1 10'.length;
const endOfHead = '\r\n\r\n';

/**
 * Makes undici accept an unrequested `100 Continue`, as every client must (RFC 9110, 15.2). undici treats this status
 * as an error, so the status is replaced with 102.
 */
export function ignoreContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const piece: unknown = read(size);
    if (Buffer.isBuffer(piece)) replaceContinue(piece);
    return piece;
  };
}

/** Replaces 100 with 102 in the interim responses at the start of a chunk, in place. */
export function replaceContinue(piece: Buffer): void {
  let at = 0;
  while (interim.test(piece.toString('latin1', at, at + lastDigit + 2))) {
    if (piece.toString('latin1', at + lastDigit - 2, at + lastDigit + 1) === '100')
      piece.write('2', at + lastDigit);
    const end = piece.indexOf(endOfHead, at);
    if (end < 0) return;
    at = end + endOfHead.length;
  }
}
