import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Framing } from './framing.ts';
import { trailerLines } from './pass-headers.ts';

/** Passes the body of a request on, at the pace of the gateway, and shows each piece to `onPiece` after that. */
export function passRequest(
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
