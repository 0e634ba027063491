import { Readable } from 'node:stream';
import { encodeBody } from '../exchange/decode.ts';
import type { Result, SentResult, WireRequest } from '../exchange/exchange.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { type Limits, RequestAbortedError } from './deadline.ts';
import { createLanes, type Lane, type SendOptions } from './lanes.ts';
import { type Dispatcher, openPool } from './pool.ts';
import { type PendingResponse, receiveResponse } from './receive.ts';

/** Sends single requests to one base URL. */
export interface Transport {
  /**
   * Sends a request. Resolves to the response or the failure, and never rejects. If `mustSucceed` is true, the time
   * limit for the head of the response is `success` instead of `refusal`. If a connection
   * that may have been reused breaks before any response begins, the request is sent once more over a new connection.
   */
  readonly send: (request: WireRequest, how: SendOptions) => Promise<SentResult>;
  /** Opens a connection of its own. The returned transport sends all requests over it, one at a time. */
  readonly openConnection?: () => Transport;
  /** From now on, closes each connection on which a request with a body was refused. */
  readonly closeAfterRefusals?: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens a pool of connections to a base URL. Requests end with a failure when `signal` is aborted. Redirects are not
 * followed, so that no key is sent to another host. Throws a `TypeError` for an invalid base URL.
 */
export function openTransport(
  baseUrl: string,
  options: {
    readonly connections: number;
    readonly limits: Limits;
    readonly reach?: ConnectionOptions | undefined;
    readonly signal?: AbortSignal | undefined;
  },
): Transport {
  const { limits, signal } = options;
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const open = (onConnect?: () => void): Dispatcher =>
    openPool(baseUrl, { reach: options.reach, connections: 1, connectMs: limits.connect, onConnect });
  const pendingResponses = new Set<PendingResponse>();
  const interrupt = (): void => {
    for (const { end } of pendingResponses) end(createAbortError());
  };
  signal?.addEventListener('abort', interrupt);
  const sendBy = (
    dispatcher: Dispatcher,
    request: WireRequest,
    mustSucceed: boolean,
  ): Promise<{ readonly result: Result; readonly isStale: boolean }> =>
    new Promise((resolve) => {
      const times = { ...limits, firstByte: mustSucceed ? limits.success : limits.refusal };
      const receiving = receiveResponse(times, limits.bodyBytes, (result, isStale) => {
        pendingResponses.delete(receiving);
        resolve({ result, isStale });
      });
      pendingResponses.add(receiving);
      if (signal?.aborted) return receiving.end(createAbortError());
      try {
        dispatcher.dispatch(
          {
            origin,
            // The type in undici contains only common methods, but undici sends any method that is a valid token.
            method: request.method as Dispatcher.HttpMethod,
            path: prefix + request.path,
            ...encodeMessage(request),
          },
          receiving.handler,
        );
      } catch (cause) {
        receiving.end(cause);
      }
    });
  const openLane = (): Lane => {
    let opened = 0;
    const count = (): void => {
      opened += 1;
    };
    const pool = open(count);
    return {
      async send(request, { mustSucceed }) {
        const { result, isStale } = await sendBy(pool, request, mustSucceed);
        if (!isStale) return result;
        // The server may have closed an idle connection before the request arrived. Browsers and curl also send such a
        // request again.
        const fresh = open();
        count();
        const again = await sendBy(fresh, request, mustSucceed);
        await fresh.destroy();
        return again.result.kind === 'failure'
          ? { kind: 'failure', failure: { ...again.result.failure, brokeFirst: true } }
          : again.result;
      },
      opened: () => opened,
      // undici waits a turn, so another idle connection is faster.
      rests: true,
      close: () => pool.destroy(),
    };
  };
  const lanes = createLanes(options.connections, openLane);
  return {
    ...lanes,
    openConnection: () => createLanes(1, openLane),
    close: () => {
      signal?.removeEventListener('abort', interrupt);
      return lanes.close();
    },
  };
}

function createAbortError(): RequestAbortedError {
  return new RequestAbortedError('other', 'the run ended before the response');
}

/** Returns the headers and the body in the form for undici, which sends an iterable body in chunks. */
function encodeMessage({ headers, body }: WireRequest): Pick<Dispatcher.DispatchOptions, 'headers' | 'body'> {
  const encoded = body === undefined ? null : encodeBody(body);
  const { 'transfer-encoding': transfer, ...rest } = headers;
  return transfer === undefined || encoded === null
    ? { headers: { ...headers }, body: encoded }
    : { headers: rest, body: Readable.from([encoded]) };
}
