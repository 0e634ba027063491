import { type Agent, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { type RequestOptions, request as requestSecure, Agent as SecureAgent } from 'node:https';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { type Reach, tlsOf } from '../send/reach.ts';

/** How requests get to a gateway. */
export interface Way {
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
export function wayTo(baseUrl: string, reach: Reach): Way {
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
