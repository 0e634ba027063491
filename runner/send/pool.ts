import { buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { bearContinue } from './bear-continue.ts';
import { Ended, seconds } from './deadline.ts';
import { type Reach, tlsOf } from './reach.ts';

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
  }: { readonly connections: number; readonly connectMs: number; readonly reach?: Reach | undefined },
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
          bearContinue(socket);
          // Before undici passes the error on to the request that waits for a response.
          socket.prependListener('error', (error) => errorSockets.set(error, socket));
        }
        callback(...result);
      }
    });
  };
}
