import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fastify } from 'fastify';

/** What is done with a request, and with bytes that are no request. */
export type Listener = {
  readonly onRequest: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
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
const keepAliveTimeout = 72_000;

function noSchemas(): never {
  throw new Error('a route of the reference gateway has a schema');
}

/** Listens on host and port (0: any free one) and hands every request to the listener; rejects if the port is taken. */
export async function listen(host: string, port: number, listener: Listener): Promise<Listening> {
  const app = fastify({
    logger: false,
    // The gateway routes, reads and answers by its own decisions, so every request takes this one way, past Fastify,
    // whatever that would say about its path, method or content type, and about a server that closes.
    serverFactory: () => {
      const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
        void listener.onRequest(request, response);
      const server = createServer(
        { requireHostHeader: false, keepAliveTimeout, requestTimeout: 0 },
        onRequest,
      );
      return server.on('checkExpectation', onRequest);
    },
    // No route has a schema, so that their compilers, which take long to load, are never asked for one.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: (error, socket) => answerUnreadable(error.code, socket, listener),
  });

  await app.listen({ host, port });
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    async close() {
      const idle = setInterval(() => app.server.closeIdleConnections(), 20);
      const deadline = setTimeout(() => app.server.closeAllConnections(), 2000);
      await app.close();
      clearInterval(idle);
      clearTimeout(deadline);
    },
  };
}

function answerUnreadable(code: string | undefined, socket: Socket, listener: Listener): void {
  if (code === 'ECONNRESET' || socket.destroyed || !socket.writable) socket.destroy();
  else socket.end(listener.onUnreadable(unreadable[code ?? ''] ?? 400));
}
