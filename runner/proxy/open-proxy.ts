import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Reach } from '../send/reach.ts';
import { longestHead, reachGateway } from './gateway.ts';
import { type Passing, passOn } from './pass-on.ts';
import type { Passed } from './passed.ts';

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
  readonly reach?: Reach;
  /** The port to listen on; 0 takes a free one. */
  readonly port: number;
  /** Is told of each exchange when it is over, after its last byte was passed on. */
  readonly onExchange: (passed: Passed) => void;
}

const host = '127.0.0.1';

/** Longer than usual clients keep an unused connection, so that it is they who close it. */
const keepAliveTimeout = 65_000;

/** Starts a proxy to a gateway on this machine's loopback address alone; rejects where the port is taken. */
export async function openProxy({ baseUrl, reach, port, onExchange }: ProxyOptions): Promise<RunningProxy> {
  const gateway = reachGateway(baseUrl, reach);
  const underWay = new Map<Passing, Promise<void>>();
  let count = 0;
  const take = (request: IncomingMessage, response: ServerResponse): void => {
    count += 1;
    const passing = passOn(`request ${count}`, request, response, gateway);
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
      maxHeaderSize: longestHead,
      keepAliveTimeout,
    },
    take,
  );
  // Without these, Node answers an expectation itself.
  server.on('checkContinue', take).on('checkExpectation', take);
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
