import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Result, TransportFailure } from '../../exchange/exchange.ts';
import { tooManyInterimResponses, toTransportFailure } from '../../send/receive.ts';
import type { ExchangeEnd } from '../recordings/recorded-exchange.ts';
import type { Refusal } from './admit-request.ts';
import { type CapturedExchange, copyRequest, copyResponse, type ResponseCopy } from './capture.ts';
import { forwardInterim, forwardRequest, forwardResponse, isHttp10 } from './forward-message.ts';
import {
  createRemovalTest,
  type Framing,
  readResponseFraming,
  splitHeaderLines,
  toLowerCaseNames,
} from './headers.ts';
import type { Gateway } from './upstream.ts';

/**
 * The maximum lengths of a stored request body and of a stored response body, in bytes. A request with images is
 * long, but its model can be read only from the whole body. A long body is discarded after the exchange has been
 * judged.
 */
const [maxRequestBytes, maxResponseBytes] = [8 * 1024 * 1024, 1024 * 1024];

export interface ForwardedExchange {
  readonly request: IncomingMessage;
  /** Resolves with the exchange after the response was forwarded or a connection was closed. Never rejects. */
  readonly finished: Promise<CapturedExchange>;
  readonly abort: () => void;
}

interface ForwardState {
  upstream: ClientRequest | undefined;
  answer: ResponseCopy | undefined;
  failure: TransportFailure | undefined;
  cut: Exclude<ExchangeEnd, 'whole'> | undefined;
  /** The time at which the gateway broke off the response, by `performance.now()`. The client may go on before it closes. */
  cutAt: number | undefined;
}

/** Forwards a request to the gateway and the response to the client, piece by piece, and captures both. */
export function forward(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  { gateway, framing, path }: { readonly gateway: Gateway; readonly framing: Framing; readonly path: string },
): ForwardedExchange {
  const startedAt = Date.now();
  const start = performance.now();
  const { method = 'GET', rawHeaders, socket: client } = request;
  const isRemoved = createRemovalTest(rawHeaders);
  const requestCopy = copyRequest(rawHeaders, maxRequestBytes);
  const state: ForwardState = {
    upstream: undefined,
    answer: undefined,
    failure: undefined,
    cut: undefined,
    cutAt: undefined,
  };

  const finished = waitUntilClosed(request, response).then((end): CapturedExchange => {
    if (!response.writableFinished) {
      state.cut ??= 'cut-by-client';
      state.upstream?.destroy();
    }
    const ended = state.cut ?? 'whole';
    const { body, unreadable } = requestCopy.finish({ isComplete: request.complete });
    return {
      id,
      request: {
        method,
        url: gateway.urlOf(path),
        // The gateway may have received other values of `Host`, `TE` and the framing headers.
        headers: toLowerCaseNames(splitHeaderLines(rawHeaders)).filter(([name]) => !isRemoved(name)),
        body,
      },
      result: readResult(state, ended),
      startedAt,
      durationMs: (state.cutAt ?? end) - start,
      notes: undefined,
      requestUnreadable: unreadable,
      ended,
    };
  });

  const fail = (failure: TransportFailure): void => {
    if (response.headersSent || response.destroyed) return;
    state.failure = failure;
    state.upstream?.destroy();
    refuse(response, 502, `No response from the gateway: ${failure.detail}`);
    request.resume();
  };
  // Node.js throws if the head is not valid HTTP.
  attempt(fail, () => {
    const upstream = gateway.startRequest({ client, method, path, headers: rawHeaders, framing });
    state.upstream = upstream;
    forwardRequest(request, upstream, { framing, onPiece: requestCopy.add });
    forwardInterim(upstream, request, response, () =>
      fail({ reason: 'protocol', detail: tooManyInterimResponses }),
    );
    upstream.on('error', (error) => fail(toTransportFailure(error)));
    upstream.on('close', () => fail({ reason: 'reset', detail: 'the connection was closed' }));
    upstream.on('response', (answer) => {
      const read = readResponseFraming(answer);
      if ('problem' in read)
        return fail({ reason: 'protocol', detail: `the proxy cannot forward the response: ${read.problem}` });
      const copy = copyResponse(answer.statusCode ?? 0, answer.rawHeaders, maxResponseBytes);
      attempt(fail, () => {
        forwardResponse(answer, response, {
          framing: read.framing,
          chunks: !isHttp10(request),
          onPiece: copy.add,
        });
        state.answer = copy;
      });
      answer.on('error', () => {
        if (response.destroyed) return;
        state.cut ??= 'cut-by-gateway';
        state.cutAt = performance.now();
        // Sends the received part, and then closes the connection before the end of the body.
        response.socket?.destroySoon();
      });
    });
  });
  return {
    request,
    finished,
    abort: () => {
      state.cut ??= 'cut-by-proxy';
      response.destroy();
    },
  };
}

function attempt(fail: (failure: TransportFailure) => void, act: () => void): void {
  try {
    act();
  } catch (cause) {
    fail({ ...toTransportFailure(cause), reason: 'protocol' });
  }
}

/**
 * The maximum time without a sent part of the response after the client closed its side of the connection, in
 * milliseconds. After this time, the exchange ends. A client that disconnected also closes its side first. Only a
 * write to the connection shows whether the client disconnected.
 */
const halfClosedMs = 5_000;

/**
 * Resolves with the time in milliseconds (`performance.now()`) at which the response ended or the client is
 * considered disconnected.
 */
function waitUntilClosed(request: IncomingMessage, response: ServerResponse): Promise<number> {
  const { socket } = request;
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const settle = (): void => {
      clearTimeout(timer);
      response.off('close', settle);
      socket.off('close', settle);
      socket.off('end', startTimer);
      const end = performance.now();
      // Events that are pending now still belong to the exchange.
      setImmediate(() => resolve(end));
    };
    const startTimer = (): void => {
      const { bytesWritten } = socket;
      timer = setTimeout(() => (socket.bytesWritten > bytesWritten ? startTimer() : settle()), halfClosedMs);
    };
    socket.on('end', startTimer);
    response.on('close', settle);
    // A response that waits for an earlier response on the same connection gets no event when the connection closes.
    socket.on('close', settle);
  });
}

const noResponseReasons: Readonly<Record<ExchangeEnd, string>> = {
  whole: 'no response was received',
  'cut-by-client': 'the client closed the connection before a response was received',
  'cut-by-gateway': 'the connection was closed',
  'cut-by-proxy': 'the proxy was stopped before a response was received',
};

function readResult({ answer, failure }: ForwardState, ended: ExchangeEnd): Result {
  if (answer) return { kind: 'answer', answer: answer.finish(ended) };
  return { kind: 'failure', failure: failure ?? { reason: 'other', detail: noResponseReasons[ended] } };
}

/** Sends an error of the proxy itself, in a form that cannot be mistaken for a response of the gateway. */
export function refuse(response: ServerResponse, status: Refusal['status'] | 502, error: string): void {
  const { headers, body } = buildRefusal(error);
  // The reason phrase is set, because Node.js may have stored an invalid reason phrase of the gateway.
  response.writeHead(status, STATUS_CODES[status] ?? '', headers);
  response.end(body);
}

/** Sends an error for a CONNECT request or a request that could not be parsed, and closes the connection. */
export function refuseUnparsed(socket: Duplex, { status, detail }: Pick<Refusal, 'status' | 'detail'>): void {
  const { headers, body } = buildRefusal(detail);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

function buildRefusal(error: string): { headers: Record<string, string | number>; body: string } {
  const body = JSON.stringify({ proxy: 'model-gateway-conformance', error });
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-conformance-proxy': 'error',
    },
    body,
  };
}
