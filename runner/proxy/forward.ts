import { type ClientRequest, type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Failure, Result } from '../transport/exchange.ts';
import { failureOf, tooManyInterim } from '../transport/receive.ts';
import type { Refusal } from './admit-request.ts';
import { type AnswerCopy, type CapturedExchange, copyAnswer, copyRequest, type Ending } from './capture.ts';
import { forwardAnswer, forwardInterim, forwardRequest, isOld } from './forward-message.ts';
import {
  type Framing,
  headerLines,
  inLowerCase,
  lowerValue,
  removedFrom,
  responseFraming,
} from './headers.ts';
import type { Gateway } from './upstream.ts';

/** The most that is kept of a body, in bytes. */
const keptBytes = 1024 * 1024;

/** An exchange that is passing by. */
export interface Passing {
  readonly request: IncomingMessage;
  /** What passed, once the last byte has; never rejects. */
  readonly over: Promise<CapturedExchange>;
  /** Ends it on both sides, as the proxy's doing. */
  readonly cut: () => void;
}

/** Where an exchange stands. */
interface State {
  upstream: ClientRequest | undefined;
  answer: AnswerCopy | undefined;
  failure: Failure | undefined;
  cut: Exclude<Ending, 'whole'> | undefined;
}

/** Passes a request on to the gateway, and its answer back, each piece as it comes, and copies both beside that. */
export function forward(
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
  { gateway, framing, path }: { readonly gateway: Gateway; readonly framing: Framing; readonly path: string },
): Passing {
  const startedAt = Date.now();
  const start = performance.now();
  const { method = 'GET', rawHeaders, socket: client } = request;
  const isRemoved = removedFrom(rawHeaders);
  const asked = copyRequest(rawHeaders, keptBytes);
  const state: State = { upstream: undefined, answer: undefined, failure: undefined, cut: undefined };

  const over = closed(request, response).then((end): CapturedExchange => {
    if (!response.writableFinished) {
      state.cut ??= 'cut-by-client';
      state.upstream?.destroy();
    }
    const ended = state.cut ?? 'whole';
    const { body, unreadable } = asked.read({ isComplete: request.complete });
    return {
      id,
      request: {
        method,
        url: gateway.urlOf(path),
        // As the gateway got it, but for the framing and the host.
        headers: inLowerCase(headerLines(rawHeaders)).filter(([name]) => !isRemoved(name)),
        body,
      },
      result: resultOf(state, ended),
      startedAt,
      durationMs: end - start,
      notes: undefined,
      requestUnreadable: unreadable,
      ended,
    };
  });

  const fail = (failure: Failure): void => {
    if (response.headersSent || response.destroyed) return;
    state.failure = failure;
    state.upstream?.destroy();
    const isOurs = failure.reason === 'held-back';
    refuse(response, isOurs ? 501 : 502, isOurs ? failure.detail : `No answer came: ${failure.detail}`);
    request.resume();
  };
  if (lowerValue(rawHeaders, 'upgrade') === 'websocket') {
    fail({ reason: 'held-back', detail: 'WebSockets are not passed on' });
  } else {
    // Node throws where a head breaks the rules of HTTP.
    attempt(fail, () => {
      const upstream = gateway.begin({ client, method, path, headers: rawHeaders, framing });
      state.upstream = upstream;
      forwardRequest(request, upstream, { framing, onPiece: asked.add });
      forwardInterim(upstream, request, response, () => fail({ reason: 'protocol', detail: tooManyInterim }));
      upstream.on('error', (error) => fail(failureOf(error)));
      upstream.on('close', () => fail({ reason: 'reset', detail: 'the connection was closed' }));
      upstream.on('response', (answer) => {
        const read = responseFraming(answer);
        if ('problem' in read)
          return fail({ reason: 'protocol', detail: `the answer is ambiguous: ${read.problem}` });
        const copy = copyAnswer(answer.statusCode ?? 0, answer.rawHeaders, keptBytes);
        attempt(fail, () => {
          forwardAnswer(answer, response, {
            framing: read.framing,
            chunks: !isOld(request),
            onPiece: copy.add,
          });
          state.answer = copy;
        });
        answer.on('error', () => {
          if (response.destroyed) return;
          state.cut ??= 'cut-by-gateway';
          // What came goes out first; the connection then ends without the end of the body.
          response.socket?.destroySoon();
        });
      });
    });
  }
  return {
    request,
    over,
    cut: () => {
      state.cut ??= 'cut-by-proxy';
      response.destroy();
    },
  };
}

function attempt(fail: (failure: Failure) => void, act: () => void): void {
  try {
    act();
  } catch (cause) {
    fail({ ...failureOf(cause), reason: 'protocol' });
  }
}

/** The time when the client had all, or was gone; resolves only after what the event loop had to do by then. */
function closed(request: IncomingMessage, response: ServerResponse): Promise<number> {
  const { socket } = request;
  return new Promise((resolve) => {
    const settle = (): void => {
      response.off('close', settle);
      socket.off('close', settle);
      const end = performance.now();
      setImmediate(() => resolve(end));
    };
    response.on('close', settle);
    // An answer that waits for an earlier one of its connection is not told that the connection is gone.
    socket.on('close', settle);
  });
}

const unanswered: Readonly<Record<Ending, string>> = {
  whole: 'no answer came',
  'cut-by-client': 'the client left before an answer came',
  'cut-by-gateway': 'the connection was closed',
  'cut-by-proxy': 'the proxy was closed before an answer came',
};

function resultOf({ answer, failure }: State, ended: Ending): Result {
  if (answer) return { kind: 'answer', answer: answer.read(ended) };
  return { kind: 'failure', failure: failure ?? { reason: 'other', detail: unanswered[ended] } };
}

/** Answers in the proxy's own name, in a form that can't be taken for an answer of the gateway. */
export function refuse(response: ServerResponse, status: Refusal['status'] | 502, error: string): void {
  const { headers, body } = refusalOf(error);
  // Stated, since a reason of the gateway may still be set that Node does not send.
  response.writeHead(status, STATUS_CODES[status] ?? '', headers);
  response.end(body);
}

/** The same to what could not be read as a request; the connection ends with it. */
export function refuseUnread(socket: Duplex, { status, detail }: Pick<Refusal, 'status' | 'detail'>): void {
  const { headers, body } = refusalOf(detail);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${body}`, () => socket.destroy());
}

function refusalOf(error: string): { headers: Record<string, string | number>; body: string } {
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
