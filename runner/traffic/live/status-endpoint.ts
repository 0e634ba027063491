import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Report } from '../../report/report.ts';
import { joinReportText, type ReportText } from '../../reporters/reporter.ts';
import { reporters } from '../../reporters/reporters.ts';
import { createView } from '../../view/view.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { LiveChange } from './live-entry.ts';

/** A server for the live page and the report of a running proxy. */
export interface StatusEndpoint {
  /** The URL of the page. A browser gets the page, and any other client gets the JSON report so far. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export interface StatusSource {
  /** The base URL of the gateway. */
  readonly gateway: string;
  readonly log: ExchangeLog;
  readonly report: () => Report;
  /** The sentence of each requirement, by ID. */
  readonly says: ReadonlyMap<string, string>;
}

export const controlPath = '/__conformance';
const host = '127.0.0.1';
/** The headers of every response. Each exchange changes the content, so a client must not cache the response. */
const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
/** The minimum time between two updates for a client, in milliseconds. */
const interval = 250;
/** The maximum number of entries in one event. Short events let a page that opens late show entries immediately. */
const maxEntries = 500;

/**
 * Serves the page at `GET /__conformance` on the loopback address of this machine, with its events, the report and
 * single exchanges below this path. Rejects if the port cannot be opened.
 */
export async function openStatusEndpoint(port: number, source: StatusSource): Promise<StatusEndpoint> {
  const server = createServer((request, response) => {
    respond(request, response, source).catch((error: unknown) => {
      response.writeHead(500, { ...headers, 'content-type': 'text/plain; charset=utf-8' });
      response.end(`The page could not be created: ${error instanceof Error ? error.message : error}\n`);
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
  { gateway, log, report, says }: StatusSource,
): Promise<void> {
  const send = (status: number, type: string, text: ReportText): void => {
    // The whole text is created first, so that an error still leads to the status 500.
    const whole = joinReportText(text);
    response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` });
    response.end(request.method === 'HEAD' ? undefined : whole);
  };
  // A page of another site must not read the report through its own host name that points to this address.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return send(403, 'text/plain', 'Use the host 127.0.0.1 or localhost.\n');
  const path = request.url?.split('?', 1)[0] ?? '';
  const below = path.startsWith(`${controlPath}/`) ? path.slice(controlPath.length) : undefined;
  const number = /^\/exchanges\/(\d{1,15})$/.exec(below ?? '')?.[1];
  const isKnown = path === controlPath || below === '/live' || below === '/report' || number !== undefined;
  if (!isKnown) return send(404, 'text/plain', `This path does not exist. Open ${controlPath} instead.\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return send(405, 'text/plain', 'Use GET to read the report.\n');
  if (below === '/live' && request.method === 'GET') return sendChanges(response, log);
  if (below === '/report') return send(200, 'text/html', (await reporters.html())(createView(report())));
  const wantsPage = request.headers.accept?.includes('text/html') ?? false;
  if (number === undefined && !wantsPage)
    return send(200, 'application/json', (await reporters.json())(createView(report())));
  const { formatLiveDetail, formatLivePage } = await import('./live-page.tsx');
  if (number === undefined) return send(200, 'text/html', formatLivePage({ path: controlPath, gateway }));
  const detail = formatLiveDetail(log, Number(number), says);
  if (detail === undefined)
    return send(
      404,
      'text/plain',
      'This exchange is not stored, because of its age or the length of its bodies.\n',
    );
  send(200, 'text/html', detail);
}

/** Sends the stored entries, and then the changes at intervals, until the client disconnects. */
function sendChanges(response: ServerResponse, log: ExchangeLog): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  let sent = -1;
  const sendNew = (): void => {
    const revision = log.revision();
    // If a browser does not read the events, this process must not store more events.
    if (revision === sent || response.writableNeedDrain) return;
    const entries = log.changedSince(sent);
    const totals = log.totals();
    sent = revision;
    for (let start = 0; start === 0 || start < entries.length; start += maxEntries) {
      const change: LiveChange = { entries: entries.slice(start, start + maxEntries), totals };
      response.write(`data: ${JSON.stringify(change)}\n\n`);
    }
  };
  sendNew();
  const timer = setInterval(sendNew, interval);
  response.on('close', () => clearInterval(timer));
}
