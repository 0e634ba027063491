import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The handlers of requests, and of requests that cannot be read. */
export type Listener = {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => void;
  /**
   * Returns the whole response, as HTTP text, to a request that cannot be read. The status is 431 if the head is too
   * large, 408 if the head did not arrive within a minute, and 400 if the request is not valid HTTP.
   */
  readonly onUnreadable: (status: 400 | 408 | 431) => string;
};

/** A listening server. `close` lets running responses finish for at most two seconds. */
export type RunningServer = { readonly port: number; readonly close: () => Promise<void> };

const statusByErrorCode: Readonly<Record<string, 400 | 408 | 431>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * How long an idle connection stays open, in milliseconds. The time is longer than the keep-alive time of common
 * clients. Such a client therefore closes an idle connection before the server, so that no request is lost.
 */
export const keepAliveTimeout = 72_000;

/**
 * Listens on a host and a port, and passes every request to the listener. Port 0 selects any free port. Rejects if
 * the server cannot listen, for example because the port is in use.
 */
export async function listen(host: string, port: number, listener: Listener): Promise<RunningServer> {
  // After one turn of the event loop, a body that arrived together with the head of the request is complete and can be
  // read synchronously.
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void setImmediate(listener.onRequest, request, response);
  // The body may take any time. Without `headersTimeout`, `requestTimeout: 0` would also apply to the head.
  const timeouts = { keepAliveTimeout, headersTimeout: 60_000, requestTimeout: 0 };
  const server = createServer({ requireHostHeader: false, ...timeouts }, onRequest)
    .on('checkExpectation', onRequest)
    .on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // The response is written after the responses to earlier requests on the connection.
      setImmediate(respondUnreadable, error.code, socket, listener);
    });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The server does not listen on a TCP port. Use a port number from 0 to 65535.');
  return {
    port: address.port,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      // A connection with a running response becomes idle when the response ends.
      const idle = setInterval(() => server.closeIdleConnections(), 20);
      const deadline = setTimeout(() => server.closeAllConnections(), 2000);
      server.closeIdleConnections();
      await closed;
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

function respondUnreadable(code: string | undefined, socket: Socket, listener: Listener): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) socket.destroy();
  else socket.end(listener.onUnreadable(statusByErrorCode[code ?? ''] ?? 400));
}
