import { type Agent, type ClientRequest, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { type ConnectionOptions, tlsOf } from '../../send/connection-options.ts';
import { buildRequestHeaders, type Framing, type RawHeaders } from './headers.ts';

export interface Gateway {
  readonly urlOf: (path: string) => string;
  /** Starts a request with this head. Throws if Node.js refuses to send the head. */
  readonly startRequest: (head: RequestHead) => ClientRequest;
  readonly close: () => void;
}

interface RequestHead {
  readonly client: Socket;
  readonly method: string;
  readonly path: string;
  readonly headers: RawHeaders;
  readonly framing: Framing;
}

/** The maximum size of a message head, in bytes: more than known clients and gateways send. */
export const maxHeaderBytes = 256 * 1024;

/**
 * Returns the gateway at a base URL. A connection is opened when a request needs the connection. Each client
 * connection has its own connection to the gateway, so that an unexpected, late or smuggled response cannot reach
 * another client.
 */
export function connectToGateway(baseUrl: string, connection: ConnectionOptions = {}): Gateway {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const upstream = createUpstream(baseUrl, connection);
  const agents = new Map<Socket, Agent>();
  const pathOf = (path: string): string => (path === '*' ? path : prefix + path);
  const agentOf = (client: Socket): Agent => {
    const known = agents.get(client);
    if (known) return known;
    const agent = upstream.openAgent();
    agents.set(client, agent);
    // Active requests end with their client, and idle connections close after a timeout.
    client.once('close', () => void agents.delete(client));
    return agent;
  };
  return {
    urlOf: (path) => url.origin + (path === '*' ? '' : pathOf(path)),
    startRequest: ({ client, method, path, headers, framing }) => {
      const request = upstream.startRequest({
        ...upstream.options,
        agent: agentOf(client),
        method,
        path: upstream.pathPrefix + pathOf(path),
        headers: [...buildRequestHeaders(headers, { method, host: url.host, framing }), ...upstream.headers],
        maxHeaderSize: maxHeaderBytes,
        insecureHTTPParser: false,
      });
      // By default, Node.js drops the headers after a maximum number. The dropped headers could delimit the body.
      request.maxHeadersCount = 0;
      return request;
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
    },
  };
}

export interface Upstream {
  readonly startRequest: typeof requestPlain;
  readonly options: RequestOptions;
  /** The text before the path of each request; empty unless a proxy receives the whole URL. */
  readonly pathPrefix: string;
  /** Additional headers of each request: names and values, alternating. */
  readonly headers: readonly string[];
  /** Creates an agent with one connection, which requests use one after another. */
  readonly openAgent: () => Agent;
}

/**
 * The time after which an idle connection is closed, in milliseconds. If a gateway closes a connection while a
 * request is sent on this connection, the request fails, because the proxy sends no request twice. Common servers
 * keep idle connections open for longer.
 */
const idleMs = 1_000;

/**
 * Returns the functions and options for requests to the gateway at a base URL. With a proxy, requests to an HTTPS
 * gateway use a tunnel, and requests to an HTTP gateway contain the whole URL.
 */
export function createUpstream(baseUrl: string, connection: ConnectionOptions): Upstream {
  const url = new URL(baseUrl);
  const proxyUrl = connection.proxy?.(baseUrl);
  const proxy = proxyUrl === undefined ? undefined : new URL(proxyUrl);
  const sendsWholeUrl = proxy !== undefined && url.protocol === 'http:';
  const next = sendsWholeUrl ? proxy : url;
  const isSecure = next.protocol === 'https:';
  const agentOptions = { keepAlive: true, maxSockets: 1, timeout: idleMs } as const;
  const DirectAgent = isSecure ? SecureAgent : PlainAgent;
  return {
    startRequest: isSecure ? requestSecure : requestPlain,
    options: {
      ...tlsOf(connection),
      protocol: next.protocol,
      hostname: next.hostname.replace(/^\[|\]$/g, ''),
      port: next.port,
    },
    pathPrefix: sendsWholeUrl ? url.origin : '',
    headers: sendsWholeUrl ? buildProxyAuthorization(proxy) : [],
    openAgent: () =>
      proxy && !sendsWholeUrl ? new HttpsProxyAgent(proxy, agentOptions) : new DirectAgent(agentOptions),
  };
}

function buildProxyAuthorization({ username, password }: URL): readonly string[] {
  if (username === '') return [];
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return ['Proxy-Authorization', `Basic ${Buffer.from(plain).toString('base64')}`];
}
