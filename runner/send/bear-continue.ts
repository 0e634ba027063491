import type { Socket } from 'node:net';

const interim = /^HTTP\/1\.[01] 1\d\d[ \r]/;
/** Where the last digit of the status stands in the first line of an answer. */
const lastDigit = 'HTTP/1.1 10'.length;
const endOfHead = '\r\n\r\n';

/**
 * Lets who reads a connection bear `100 Continue`, for which it did not ask, as any other interim answer, as every client
 * must (RFC 9110, 15.2): undici, which takes it for an error, gets to see 102.
 */
export function bearContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const piece: unknown = read(size);
    if (Buffer.isBuffer(piece)) withoutContinue(piece);
    return piece;
  };
}

/** Makes 102 of each 100 among the interim answers that a piece begins with; in place. */
export function withoutContinue(piece: Buffer): void {
  let at = 0;
  while (interim.test(piece.toString('latin1', at, at + lastDigit + 2))) {
    if (piece.toString('latin1', at + lastDigit - 2, at + lastDigit + 1) === '100')
      piece.write('2', at + lastDigit);
    const end = piece.indexOf(endOfHead, at);
    if (end < 0) return;
    at = end + endOfHead.length;
  }
}
