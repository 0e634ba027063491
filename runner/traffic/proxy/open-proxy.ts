import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from '../../send/connection-options.ts';
import {
  admitRequest,
  type ClientError,
  createHostTest,
  type Refusal,
  refuseInvalid,
} from './admit-request.ts';
import type { CapturedExchange } from './capture.ts';
import { type ForwardedExchange, forward, refuse, refuseUnparsed } from './forward.ts';
import { connectToGateway, maxHeaderBytes } from './upstream.ts';

export interface RunningProxy {
  /** The base URL for clients, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly countActive: () => number;
  /** Ends all active exchanges, passes the exchanges to `onExchange`, and closes the port. */
  readonly close: () => Promise<void>;
}

export interface ProxyOptions {
  /** The base URL of the gateway. The path of this URL is added before the path of each request, except `*`. */
  readonly baseUrl: string;
  readonly connection?: ConnectionOptions;
  /** The port to listen on; 0 for any free port. */
  readonly port: number;
  /** Hosts to accept in `Host` and `Origin`, in addition to this machine and the gateway. `*` accepts all hosts. */
  readonly allowHosts?: readonly string[];
  /** Called with each exchange after its response was forwarded or a connection was closed. */
  readonly onExchange: (exchange: CapturedExchange) => void;
  readonly onRefused?: (refusal: Refusal) => void;
}

const host = '127.0.0.1';

/**
 * The time after which an idle connection is closed, in milliseconds. The time is longer than the keep-alive time of
 * common clients, so that the client closes the connection first.
 */
const keepAliveTimeout = 65_000;

/**
 * Starts a proxy for a gateway. Listens on the loopback address of this machine. Rejects if the base URL is invalid
 * or the port cannot be opened.
 */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { baseUrl, connection, port, allowHosts = [], onExchange, onRefused } = options;
  const gateway = connectToGateway(baseUrl, connection);
  const isAllowed = createHostTest([...allowHosts, new URL(baseUrl).hostname], host);
  const active = new Map<ForwardedExchange, Promise<void>>();
  const endingSockets = new WeakSet<Duplex>();
  let count = 0;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    // The end of a malformed request may be ambiguous, so no later request on its connection is forwarded.
    if (endingSockets.has(request.socket)) return;
    const admission = admitRequest(request, isAllowed);
    if ('refusal' in admission) {
      const { status, detail, reason } = admission.refusal;
      if (reason === 'malformed') {
        endingSockets.add(request.socket);
        response.setHeader('connection', 'close');
      }
      refuse(response, status, detail);
      request.resume();
      onRefused?.(admission.refusal);
      return;
    }
    count += 1;
    const forwarded = forward(`request ${count}`, request, response, { gateway, ...admission });
    const done = forwarded.finished.then((exchange) => {
      active.delete(forwarded);
      onExchange(exchange);
    });
    active.set(forwarded, done);
  };
  const server = createServer(
    // The gateway, not the proxy, limits the time of requests.
    {
      requestTimeout: 0,
      headersTimeout: 0,
      requireHostHeader: false,
      insecureHTTPParser: false,
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout,
    },
    handle,
  );
  // By default, Node.js drops the headers after a maximum number. The dropped headers could delimit the body.
  server.maxHeadersCount = 0;
  // A client may close its side after the request and still read the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Without these listeners, Node.js handles `Expect` itself.
  server.on('checkContinue', handle).on('checkExpectation', handle);
  server.on('connect', (_, socket) => {
    const refusal: Refusal = {
      reason: 'malformed',
      status: 501,
      detail: 'The proxy does not support CONNECT. Use the URL of the proxy as the base URL of the client.',
    };
    refuseUnparsed(socket, refusal);
    onRefused?.(refusal);
  });
  server.on('clientError', (error: ClientError, socket) => {
    const refusal = refuseInvalid(error);
    if (!refusal) return void socket.destroy();
    if (endingSockets.has(socket)) return;
    endingSockets.add(socket);
    const earlier = [...active.keys()].filter(({ request }) => request.socket === socket);
    // A request whose head was forwarded is reported as an exchange.
    if (earlier.every(({ request }) => request.complete)) onRefused?.(refusal);
    // The client would read an error as the response to an earlier request.
    if (earlier.length > 0) socket.destroy();
    else refuseUnparsed(socket, refusal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    countActive: () => active.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const forwarded of active.keys()) forwarded.abort();
      const done = [...active.values()];
      server.closeAllConnections();
      await Promise.all(done);
      await closed;
      gateway.close();
    },
  };
}
