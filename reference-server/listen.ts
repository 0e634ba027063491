import type { IncomingMessage, ServerResponse } from 'node:http';
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

function noSchemas(): never {
  throw new Error('a route of the reference gateway has a schema');
}

/** Listens on host and port (0: any free one) and hands every request to the listener; rejects if the port is taken. */
export async function listen(host: string, port: number, listener: Listener): Promise<Listening> {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    // While it closes, too, every answer is one of the contract.
    return503OnClosing: false,
    // No route has a schema, so that their compilers, which take long to load, are never asked for one.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: 16_384 },
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      void listener.onRequest(request.raw, reply.raw);
    },
    clientErrorHandler: (error, socket) => answerUnreadable(error.code, socket, listener),
  });

  // The gateway routes, reads and answers by its own decisions, so every request takes this one way, whatever
  // Fastify would say about its path, method or content type.
  app.addHook('onRequest', async (request, reply) => {
    reply.hijack();
    await listener.onRequest(request.raw, reply.raw);
  });
  app.all('*', () => undefined);
  app.setNotFoundHandler(() => undefined);
  app.server.on('checkExpectation', (request, response) => void listener.onRequest(request, response));

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
