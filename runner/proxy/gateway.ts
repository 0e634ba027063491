import type { Agent, ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import type { Reach } from '../send/reach.ts';
import type { Framing } from './framing.ts';
import { requestHeaders } from './pass-headers.ts';
import type { RawHeaders } from './raw-headers.ts';
import { wayTo } from './way.ts';

/** The gateway behind a proxy. */
export interface Gateway {
  /** The address there of a path. */
  readonly urlOf: (path: string) => string;
  /** Begins a request with this head; throws where Node refuses to send it. */
  readonly begin: (head: RequestHead) => ClientRequest;
  readonly close: () => void;
}

interface RequestHead {
  /** The connection of the client. */
  readonly client: Socket;
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly framing: Framing;
}

/** Longer heads than any client or gateway is known to send. */
export const longestHead = 256 * 1024;

/**
 * The gateway at a base URL. Each connection of a client has one of its own to the gateway, as if there were no proxy: what
 * a gateway sends too much, too late or in answer to a smuggled request can reach no other client.
 */
export function reachGateway(baseUrl: string, reach: Reach = {}): Gateway {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const way = wayTo(baseUrl, reach);
  const agents = new Map<Socket, Agent>();
  const pathOf = (path: string): string => (path === '*' ? path : prefix + path);
  const agentOf = (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = way.openAgent();
    agents.set(client, agent);
    // Requests under way end with their client, and what is unused closes by itself.
    client.once('close', () => void agents.delete(client));
    return agent;
  };
  return {
    urlOf: (path) => url.origin + (path === '*' ? '' : pathOf(path)),
    begin: ({ client, method, path, headers, framing }) => {
      const request = way.begin({
        ...way.options,
        agent: agentOf(client),
        method,
        path: way.before + pathOf(path),
        headers: [...requestHeaders(headers, { method, host: url.host, framing }), ...way.headers],
        maxHeaderSize: longestHead,
        insecureHTTPParser: false,
      });
      // Node leaves out headers beyond a number, and could leave out those that delimit the body.
      request.maxHeadersCount = 0;
      return request;
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}
