import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { maxInterimResponses } from '../../send/receive.ts';
import {
  buildInterimHeaders,
  buildResponseHeaders,
  type Framing,
  filterTrailers,
  splitHeaderLines,
} from './headers.ts';

/**
 * Forwards the body and the trailers of a request at the pace of the gateway. Calls `onPiece` with each piece of the
 * body.
 */
export function forwardRequest(
  request: IncomingMessage,
  upstream: ClientRequest,
  { framing, onPiece }: { readonly framing: Framing; readonly onPiece: (piece: Buffer) => void },
): void {
  if (framing === 'none') {
    request.resume();
    upstream.end();
    return;
  }
  request.pipe(upstream, { end: false });
  request.on('data', onPiece);
  request.on('end', () => {
    upstream.addTrailers(filterTrailers(request.rawTrailers));
    upstream.end();
  });
  // Sends the head now if the body is not available yet.
  setImmediate(() => {
    if (!upstream.writableEnded && !upstream.destroyed) upstream.flushHeaders();
  });
  upstream.on('response', (answer) => {
    // A gateway that responds early may read the rest of the body as the next request of this connection. Until the
    // response ends, the body is still forwarded, because a gateway may respond before the whole body is read.
    if (!upstream.writableFinished) answer.on('end', () => upstream.destroy());
  });
  // Reads the rest of a body that the gateway no longer accepts, so that the client can send its next request.
  upstream.on('close', () => request.resume());
}

/** Whether the client uses HTTP/1.0, which has neither chunks nor interim responses. */
export function isHttp10({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0';
}

/**
 * Forwards a response at the pace of the client. Calls `onPiece` with each forwarded piece. Throws if Node.js refuses
 * to send the head.
 */
export function forwardResponse(
  answer: IncomingMessage,
  response: ServerResponse,
  {
    framing,
    chunks,
    onPiece,
  }: { readonly framing: Framing; readonly chunks: boolean; readonly onPiece: (piece: Buffer) => void },
): void {
  response.sendDate = false;
  const headers = buildResponseHeaders(answer.rawHeaders, { framing, chunks });
  response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', headers);
  answer.pipe(response, { end: false });
  answer.on('data', onPiece);
  answer.on('end', () => {
    response.addTrailers(filterTrailers(answer.rawTrailers));
    response.end();
  });
  // Sends the head now if the body is not available yet.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

/**
 * Forwards the interim responses of the gateway (1xx), such as 100 and 103, at the pace of the client. A client that
 * uses HTTP/1.0 gets no interim responses. Calls `onTooMany` for each interim response after the maximum number,
 * instead of forwarding the response.
 */
export function forwardInterim(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  onTooMany: () => void,
): void {
  let count = 0;
  let isPaused = false;
  upstream.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    count += 1;
    if (count > maxInterimResponses) return onTooMany();
    const { socket: client } = response;
    if (response.headersSent || isHttp10(request) || !client) return;
    if (statusCode === 100 && count === 1) response.writeContinue();
    else {
      const lines = splitHeaderLines(buildInterimHeaders(rawHeaders)).map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      client.write(
        `HTTP/1.1 ${statusCode} ${sanitizeReason(statusMessage)}\r\n${lines.join('')}\r\n`,
        'latin1',
      );
    }
    if (!client.writableNeedDrain || isPaused) return;
    isPaused = true;
    // Node.js resumes the connection after each interim response.
    queueMicrotask(() => upstream.socket?.pause());
    client.once('drain', () => {
      isPaused = false;
      upstream.socket?.resume();
    });
  });
}

/** Returns a valid reason phrase unchanged; an empty string if Node.js accepted characters that HTTP does not allow. */
function sanitizeReason(statusMessage: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : '';
}
