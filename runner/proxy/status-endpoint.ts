import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Report } from '../report/report.ts';
import { reporters } from '../reporters/reporters.ts';

/** Tells of a proxy while it runs. */
export interface StatusEndpoint {
  /** Where the report so far is: HTML for a browser, else JSON. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const controlPath = '/__conformance';
const host = '127.0.0.1';
/** A report of a moment ago is told to no later asker. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Answers `GET /__conformance` with the report so far, on this machine's loopback address alone; rejects where the port is taken. */
export async function openStatusEndpoint(port: number, report: () => Report): Promise<StatusEndpoint> {
  const server = createServer((request, response) => {
    answer(request, response, report).catch((error: unknown) => {
      response.writeHead(500, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The report could not be made: ${error instanceof Error ? error.message : error}\n`);
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  report: () => Report,
): Promise<void> {
  const tell = (status: number, type: string, text: string): void => {
    response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` });
    response.end(request.method === 'HEAD' ? undefined : text);
  };
  // A page of another site must not read it under a name of its own for this address.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return tell(403, 'text/plain', 'Ask for 127.0.0.1 or localhost.\n');
  if (request.url?.split('?', 1)[0] !== controlPath)
    return tell(404, 'text/plain', `The report so far is at ${controlPath}.\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return tell(405, 'text/plain', 'The report is read with GET.\n');
  const wantsPage = request.headers.accept?.includes('text/html') ?? false;
  const render = await (wantsPage ? reporters.html() : reporters.json());
  tell(200, wantsPage ? 'text/html' : 'application/json', render(report()));
}
