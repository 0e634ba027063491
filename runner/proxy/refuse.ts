import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Refusal } from './admit.ts';

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
