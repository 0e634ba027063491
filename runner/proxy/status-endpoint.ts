import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Report } from '../report/report.ts';
import { reporters } from '../reporters/reporters.ts';

/** Serves the report of a running proxy. */
export interface StatusEndpoint {
  /** The URL of the report so far: HTML for a browser, otherwise JSON. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const controlPath = '/__conformance';
const host = '127.0.0.1';
/** The report changes with every exchange, so that it must not be cached. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/**
 * Serves the report so far at `GET /__conformance`, on the loopback address of this machine. Rejects if the port can't be
 * opened.
 */
export async function openStatusEndpoint(port: number, report: () => Report): Promise<StatusEndpoint> {
  const server = createServer((request, response) => {
    respond(request, response, report).catch((error: unknown) => {
      response.writeHead(500, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The report could not be created: ${error instanceof Error ? error.message : error}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const { port: bound }: Pick<AddressInfo, 'port'> = Object(server.address());
  return {
    url: `http://${host}:${bound}${controlPath}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  report: () => Report,
): Promise<void> {
  const send = (status: number, type: string, text: string): void => {
    response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  // A page of another site must not read the report through a host name that points to this address.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return send(403, 'text/plain', 'Use the host 127.0.0.1 or localhost.\n');
  if (request.url?.split('?', 1)[0] !== controlPath)
    return send(404, 'text/plain', `The report so far is at ${controlPath}.\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(405, 'text/plain', 'Use GET to read the report.\n');
  const wantsPage = request.headers.accept?.includes('text/html') ?? false;
  const render = await (wantsPage ? reporters.html() : reporters.json());
  send(200, wantsPage ? 'text/html' : 'application/json', render(report()));
}
