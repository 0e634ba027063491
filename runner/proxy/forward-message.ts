import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { mostInterim } from '../transport/receive.ts';
import { answerHeaders, type Framing, headerLines, interimHeaders, trailerLines } from './headers.ts';

/** Passes the body of a request on, at the pace of the gateway, and shows each piece to `onPiece` after that. */
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
    upstream.addTrailers(trailerLines(request.rawTrailers));
    upstream.end();
  });
  // Where the body is still to come, the head goes without it.
  setImmediate(() => {
    if (!upstream.writableEnded && !upstream.destroyed) upstream.flushHeaders();
  });
  // The client left while it was sending; whether it waits for the answer is seen at the answer.
  request.on('close', () => {
    if (!request.complete) upstream.destroy();
  });
  upstream.on('response', (answer) => {
    // A gateway that answers early may not read the rest, and take it for the next request of this connection.
    if (!upstream.writableFinished) answer.on('end', () => upstream.destroy());
  });
  // What the gateway no longer takes is still read, so that the client gets to its next request.
  upstream.on('close', () => request.resume());
}

/** Whether the client speaks HTTP/1.0, which knows neither chunks nor interim responses. */
export function isOld({ httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0';
}

/** Passes an answer on, at the pace of the client, and shows each piece to `onPiece` after that; throws where Node refuses its head. */
export function forwardAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  {
    framing,
    chunks,
    onPiece,
  }: { readonly framing: Framing; readonly chunks: boolean; readonly onPiece: (piece: Buffer) => void },
): void {
  response.sendDate = false;
  const headers = answerHeaders(answer.rawHeaders, { framing, chunks });
  response.writeHead(answer.statusCode ?? 0, answer.statusMessage ?? '', headers);
  answer.pipe(response, { end: false });
  answer.on('data', onPiece);
  answer.on('end', () => {
    response.addTrailers(trailerLines(answer.rawTrailers));
    response.end();
  });
  // Where the body is still to come, the head goes without it.
  setImmediate(() => {
    if (!response.writableEnded && !response.destroyed) response.flushHeaders();
  });
}

/**
 * Passes on the interim responses of the gateway (1xx), such as 100 and 103, at the pace of the client; calls `onTooMany`
 * instead where no response comes after so many of them.
 */
export function forwardInterim(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  onTooMany: () => void,
): void {
  let count = 0;
  let isHeld = false;
  upstream.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    count += 1;
    if (count > mostInterim) return onTooMany();
    const { socket: client } = response;
    if (response.headersSent || isOld(request) || !client) return;
    if (statusCode === 100 && count === 1) response.writeContinue();
    else {
      const lines = headerLines(interimHeaders(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
      client.write(`HTTP/1.1 ${statusCode} ${reasonOf(statusMessage)}\r\n${lines.join('')}\r\n`, 'latin1');
    }
    if (!client.writableNeedDrain || isHeld) return;
    isHeld = true;
    // Node resumes the connection once it has read each of them.
    queueMicrotask(() => upstream.socket?.pause());
    client.once('drain', () => {
      isHeld = false;
      upstream.socket?.resume();
    });
  });
}

/** A reason as it was sent; none where it has characters that HTTP does not allow and Node reads. */
function reasonOf(statusMessage: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : '';
}
