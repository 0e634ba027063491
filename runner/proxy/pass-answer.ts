import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Framing } from './framing.ts';
import { answerHeaders, trailerLines } from './pass-headers.ts';

/** Passes an answer on, at the pace of the client, and shows each piece to `onPiece` after that; throws where Node refuses its head. */
export function passAnswer(
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
