import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is done with a request, and with bytes that are no request. */
export type Listener = {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /** The whole answer to an unreadable request, as HTTP text. */
  readonly onUnreadable: (status: 400 | 408 | 431) => string;
};

/** A server that listens; `close` lets running answers finish for at most two seconds. */
export type Listening = { readonly port: number; readonly close: () => Promise<void> };

const unreadable: Readonly<Record<string, 400 | 408 | 431>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Longer than clients keep a connection that is idle, so that none is closed under a request; in milliseconds. */
export const keepAliveTimeout = 72_000;

/** Listens on host and port (0: any free one) and hands every request to the listener; rejects if the port is taken. */
export async function listen(host: string, port: number, listener: Listener): Promise<Listening> {
  // By then a body that was sent along with its head is there too, and can be read without listeners.
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void setImmediate(listener.onRequest, request, response);
  const server = createServer({ requireHostHeader: false, keepAliveTimeout, requestTimeout: 0 }, onRequest)
    .on('checkExpectation', onRequest)
    .on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // Behind the requests that came before it.
      setImmediate(answerUnreadable, error.code, socket, listener);
    });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // A connection whose answer is still under way becomes idle later.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const deadline = setTimeout(() => server.closeAllConnections(), 2000);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

function answerUnreadable(code: string | undefined, socket: Socket, listener: Listener): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) socket.destroy();
  else socket.end(listener.onUnreadable(unreadable[code ?? ''] ?? 400));
}
