import type { Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { Ended, seconds } from './deadline.ts';

export type { Dispatcher };

/** The connection on which an error occurred. */
const errorSockets = new WeakMap<Error, { readonly bytesRead: number }>();

/**
 * Whether a connection that broke had served a response before: a server may close such a connection at the same moment
 * in which the next request is sent on it. Unknown for connections through a proxy, which count as reused.
 */
export function brokeReusedConnection(error: unknown): boolean {
  const socket = error instanceof Error ? errorSockets.get(error) : undefined;
  return socket === undefined || socket.bytesRead > 0;
}

/** Connections to the host of a URL, through a proxy where one is to be used. */
export function openPool(
  baseUrl: string,
  {
    connections,
    connectMs,
    reach = {},
  }: {
    readonly connections: number;
    readonly connectMs: number;
    readonly reach?: ConnectionOptions | undefined;
  },
): Dispatcher {
  const tls = tlsOf(reach);
  // A deadline of its own ends each request: the times of undici are exact to a second only.
  const common = { connections, headersTimeout: 0, bodyTimeout: 0 };
  const proxy = reach.proxy?.(baseUrl);
  if (!proxy) return new Pool(new URL(baseUrl).origin, { ...common, connect: connectWithin(connectMs, tls) });
  return new ProxyAgent({
    ...common,
    uri: proxy,
    connect: { timeout: connectMs, ...tls },
    requestTls: { timeout: connectMs, ...tls },
    // A request to a plain address goes to a proxy as it is; many let only TLS through a tunnel.
    proxyTunnel: false,
  });
}

/**
 * Opens connections that are there within so many milliseconds, or fail with `Ended`; undici's own time, up to a
 * second late, closes the socket that is still trying.
 */
function connectWithin(milliseconds: number, tls: ReturnType<typeof tlsOf>): buildConnector.connector {
  const connect = buildConnector({ timeout: milliseconds, ...tls });
  return (options, callback) => {
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      const host = `${options.hostname}:${options.port || (options.protocol === 'https:' ? 443 : 80)}`;
      callback(new Ended('timeout', `no connection to ${host} within ${seconds(milliseconds)}`), null);
    }, milliseconds);
    connect(options, (...result) => {
      clearTimeout(timer);
      const [, socket] = result;
      if (over) socket?.destroy();
      else {
        if (socket) {
          ignoreContinue(socket);
          // Before undici passes the error on to the request that waits for a response.
          socket.prependListener('error', (error) => errorSockets.set(error, socket));
        }
        callback(...result);
      }
    });
  };
}

const interim = /^HTTP\/1\.[01] 1\d\d[ \r]/;
/** Where the last digit of the status stands in the first line of an answer. */
const lastDigit = 'HTTP/1.1 10'.length;
const endOfHead = '\r\n\r\n';

/**
 * Lets who reads a connection bear `100 Continue`, for which it did not ask, as any other interim answer, as every client
 * must (RFC 9110, 15.2): undici, which takes it for an error, gets to see 102.
 */
export function ignoreContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const piece: unknown = read(size);
    if (Buffer.isBuffer(piece)) withoutContinue(piece);
    return piece;
  };
}

/** Makes 102 of each 100 among the interim answers that a piece begins with; in place. */
export function withoutContinue(piece: Buffer): void {
  let at = 0;
  while (interim.test(piece.toString('latin1', at, at + lastDigit + 2))) {
    if (piece.toString('latin1', at + lastDigit - 2, at + lastDigit + 1) === '100')
      piece.write('2', at + lastDigit);
    const end = piece.indexOf(endOfHead, at);
    if (end < 0) return;
    at = end + endOfHead.length;
  }
}

/** Connection options: trusted certificates and proxies. */
export interface ConnectionOptions {
  /** Certificates to trust in addition to those of Node, as PEM text. Default: none. */
  readonly ca?: string | undefined;
  /** Whether to trust any certificate. Default: false. */
  readonly insecure?: boolean;
  /** Returns the URL of the proxy for a base URL, or undefined for a direct connection. Default: no proxy. */
  readonly proxy?: (baseUrl: string) => string | undefined;
}

/** What a TLS connection is made with. */
export function tlsOf({ ca, insecure = false }: ConnectionOptions): {
  readonly ca?: string[];
  readonly rejectUnauthorized?: false;
} {
  return {
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(insecure && { rejectUnauthorized: false as const }),
  };
}
