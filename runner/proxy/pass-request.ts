import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { headerLines } from './pass-headers.ts';

/** Passes the body of a request on, at the pace of the gateway, and shows each piece to `onPiece` after that. */
export function passRequest(
  request: IncomingMessage,
  upstream: ClientRequest,
  onPiece: (piece: Buffer) => void,
): void {
  request.pipe(upstream, { end: false });
  request.on('data', onPiece);
  request.on('end', () => {
    upstream.addTrailers(headerLines(request.rawTrailers));
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
  // What the gateway no longer takes is still read, so that the client gets to its next request.
  upstream.on('close', () => request.resume());
}

/** Passes on what the gateway says before its answer, such as 100 and 103. */
export function passInformation(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  upstream.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    if (response.headersSent || isOld(request)) return;
    if (statusCode === 100) return response.writeContinue();
    const lines = headerLines(rawHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    response.socket?.write(`HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}\r\n`, 'latin1');
  });
}

/** Whether the client speaks HTTP/1.0, which knows neither chunks nor answers before the answer. */
export function isOld({ httpVersionMajor, httpVersionMinor }: IncomingMessage): boolean {
  return httpVersionMajor < 1 || (httpVersionMajor === 1 && httpVersionMinor === 0);
}
