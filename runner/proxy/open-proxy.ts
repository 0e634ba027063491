import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ConnectionOptions } from '../transport/pool.ts';
import { admit, allowedHosts, type Refusal } from './admit-request.ts';
import type { CapturedExchange } from './capture.ts';
import { forward, type Passing, refuse, refuseUnread } from './forward.ts';
import { longestHead, reachGateway } from './upstream.ts';

/** A proxy that is running. */
export interface RunningProxy {
  /** Where clients reach it, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** How many exchanges have begun and are not over. */
  readonly underWay: () => number;
  /** Cuts what is under way, tells of it, and gives the port back. */
  readonly close: () => Promise<void>;
}

export interface ProxyOptions {
  /** Where the gateway is; its path is put before that of every request. */
  readonly baseUrl: string;
  readonly reach?: ConnectionOptions;
  /** The port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Hosts that requests and web pages may have beside this machine and the gateway; `*` allows every one. */
  readonly allowHosts?: readonly string[];
  /** Is called with each exchange when it is over, after its last byte was passed on. */
  readonly onExchange: (passed: CapturedExchange) => void;
  /** Is called with each request that is not passed on. */
  readonly onRefused?: (refusal: Refusal) => void;
}

const host = '127.0.0.1';

/** Longer than usual clients keep an unused connection, so that it is they who close it. */
const keepAliveTimeout = 65_000;

/** What Node makes of a request that breaks HTTP. */
interface ParseError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/** Statuses of requests that Node could not read; 400 for all others. */
const unreadStatus: ReadonlyMap<string | undefined, 413 | 431> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
]);

/** Starts a proxy to a gateway on this machine's loopback address alone; rejects where the port is taken. */
export async function openProxy(options: ProxyOptions): Promise<RunningProxy> {
  const { baseUrl, reach, port, allowHosts = [], onExchange, onRefused } = options;
  const gateway = reachGateway(baseUrl, reach);
  const isAllowed = allowedHosts([...allowHosts, new URL(baseUrl).hostname], host);
  const underWay = new Map<Passing, Promise<void>>();
  const ending = new WeakSet<Duplex>();
  let count = 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    // Nothing is passed on that follows a request whose end is not certain.
    if (ending.has(request.socket)) return;
    const admission = admit(request, isAllowed);
    if ('refusal' in admission) {
      const { status, detail, reason } = admission.refusal;
      if (reason === 'malformed') {
        ending.add(request.socket);
        response.setHeader('connection', 'close');
      }
      refuse(response, status, detail);
      request.resume();
      onRefused?.(admission.refusal);
      return;
    }
    count += 1;
    const passing = forward(`request ${count}`, request, response, { gateway, ...admission });
    const told = passing.over.then((passed) => {
      underWay.delete(passing);
      onExchange(passed);
    });
    underWay.set(passing, told);
  };
  const server = createServer(
    // The limits are the gateway's to set, not the proxy's.
    {
      requestTimeout: 0,
      headersTimeout: 0,
      requireHostHeader: false,
      insecureHTTPParser: false,
      maxHeaderSize: longestHead,
      keepAliveTimeout,
    },
    take,
  );
  // Node leaves out headers beyond a number, and could leave out those that delimit the body.
  server.maxHeadersCount = 0;
  // Without these, Node answers an expectation itself.
  server.on('checkContinue', take).on('checkExpectation', take);
  server.on('connect', (_, socket) => {
    const refusal: Refusal = {
      reason: 'malformed',
      status: 501,
      detail: 'Tunnels (CONNECT) are not opened.',
    };
    refuseUnread(socket, refusal);
    onRefused?.(refusal);
  });
  server.on('clientError', ({ code, reason, message }: ParseError, socket) => {
    if (code === 'ECONNRESET') return void socket.destroy();
    if (ending.has(socket)) return;
    ending.add(socket);
    const detail = `The request breaks HTTP: ${reason ?? message}.`;
    const refusal: Refusal = { reason: 'malformed', status: unreadStatus.get(code) ?? 400, detail };
    const earlier = [...underWay.keys()].filter(({ request }) => request.socket === socket);
    // A request whose head was passed on is reported as an exchange.
    if (earlier.every(({ request }) => request.complete)) onRefused?.(refusal);
    // What is written now would be taken for the answer to an earlier request.
    if (earlier.length > 0) socket.destroy();
    else refuseUnread(socket, refusal);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    underWay: () => underWay.size,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const passing of underWay.keys()) passing.cut();
      const told = [...underWay.values()];
      server.closeAllConnections();
      await Promise.all(told);
      await closed;
      gateway.close();
    },
  };
}
