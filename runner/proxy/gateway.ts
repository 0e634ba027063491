import { type ClientRequest, Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { type RawHeaders, requestHeaders } from './pass-headers.ts';

/** The gateway behind a proxy. */
export interface Gateway {
  /** The address there of what a client asked for. */
  readonly urlOf: (target: string) => string;
  /** Begins a request with these lines of a head; throws where Node refuses to send it. */
  readonly begin: (head: RequestHead) => ClientRequest;
  readonly close: () => void;
}

interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: RawHeaders;
}

/** Longer heads than any client or gateway is known to send. */
export const longestHead = 256 * 1024;

/**
 * How long an unused connection is kept. A gateway that closes one at the moment in which it is used again resets a request
 * that is not at fault; this is less than any usual server waits, so that the proxy need never send a request twice.
 */
const idleMs = 1_000;

/** The gateway at a base URL; its connections are kept for the next requests. */
export function reachGateway(baseUrl: string): Gateway {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const isSecure = url.protocol === 'https:';
  const options = { keepAlive: true, scheduling: 'lifo', timeout: idleMs } as const;
  const agent = isSecure ? new SecureAgent(options) : new PlainAgent(options);
  const begin = isSecure ? requestSecure : requestPlain;
  const pathOf = (target: string): string => {
    if (target === '*') return target;
    // A client that takes this for a forward proxy sends the whole URL.
    return prefix + (target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, ''));
  };
  return {
    urlOf: (target) => url.origin + (target === '*' ? '' : pathOf(target)),
    begin: ({ method, target, headers }) =>
      begin({
        agent,
        method,
        path: pathOf(target),
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        headers: requestHeaders(headers, method, url.host),
        maxHeaderSize: longestHead,
      }),
    close: () => agent.destroy(),
  };
}
