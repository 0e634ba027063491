import { type Agent, type ClientRequest, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { type ConnectionOptions, tlsOf } from '../transport/pool.ts';
import { type Framing, type RawHeaders, requestHeaders } from './headers.ts';

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
export function reachGateway(baseUrl: string, reach: ConnectionOptions = {}): Gateway {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const way = upstreamOf(baseUrl, reach);
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

/** How requests get to a gateway. */
export interface Upstream {
  readonly begin: typeof requestPlain;
  /** What Node is told of each request. */
  readonly options: RequestOptions;
  /** What stands before the path of each request. */
  readonly before: string;
  /** Headers that each request has beside its own, by name and value in turn. */
  readonly headers: readonly string[];
  /** Opens a connection that one request after the other uses. */
  readonly openAgent: () => Agent;
}

/**
 * How long an unused connection is kept. A gateway that closes one at the moment in which it is used again resets a request
 * that is not at fault; this is less than any usual server waits, so that the proxy need never send a request twice.
 */
const idleMs = 1_000;

/** The way to a base URL: straight, through a tunnel, or, where it isn't TLS, by a proxy that is sent the whole URL. */
export function upstreamOf(baseUrl: string, reach: ConnectionOptions): Upstream {
  const url = new URL(baseUrl);
  const stated = reach.proxy?.(baseUrl);
  const proxy = stated === undefined ? undefined : new URL(stated);
  const asWhole = proxy !== undefined && url.protocol === 'http:';
  const next = asWhole ? proxy : url;
  const isSecure = next.protocol === 'https:';
  const kept = { keepAlive: true, maxSockets: 1, timeout: idleMs } as const;
  const straight = isSecure ? SecureAgent : PlainAgent;
  return {
    begin: isSecure ? requestSecure : requestPlain,
    options: {
      ...tlsOf(reach),
      protocol: next.protocol,
      hostname: next.hostname.replace(/^\[|\]$/g, ''),
      port: next.port,
    },
    before: asWhole ? url.origin : '',
    headers: asWhole ? authorization(proxy) : [],
    openAgent: () => (proxy && !asWhole ? new HttpsProxyAgent(proxy, kept) : new straight(kept)),
  };
}

/** Who a proxy is told that one is, where its address has a name. */
function authorization({ username, password }: URL): readonly string[] {
  if (username === '') return [];
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(plain).toString('base64')}`];
}
