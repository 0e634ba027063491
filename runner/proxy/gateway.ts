import type { ClientRequest } from 'node:http';
import type { Reach } from '../send/reach.ts';
import { type RawHeaders, requestHeaders } from './pass-headers.ts';
import { wayTo } from './way.ts';

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

/** The gateway at a base URL; its connections are kept for the next requests. */
export function reachGateway(baseUrl: string, reach: Reach = {}): Gateway {
  const url = new URL(baseUrl);
  const prefix = url.pathname.replace(/\/+$/, '');
  const way = wayTo(baseUrl, reach);
  const pathOf = (target: string): string => {
    if (target === '*') return target;
    // A client that takes this for a forward proxy sends the whole URL.
    return prefix + (target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?]*/i, ''));
  };
  return {
    urlOf: (target) => url.origin + (target === '*' ? '' : pathOf(target)),
    begin: ({ method, target, headers }) =>
      way.begin({
        ...way.options,
        method,
        path: way.before + pathOf(target),
        headers: [...requestHeaders(headers, method, url.host), ...way.headers],
        maxHeaderSize: longestHead,
      }),
    close: way.close,
  };
}
