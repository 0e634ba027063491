import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ConsoleParts, respondByApi } from './api.ts';
import { explainRefusal } from './guard.ts';
import { describeRow } from './request-rows.ts';
import type { ConsoleChange } from './shown-request.ts';

/** The path of the first page of the console. The other pages and the API are below this path. */
export const consolePath = '/console';

/** The pages and the API with which a user controls a running gateway. */
export type Console = { readonly handle: (incoming: IncomingMessage, response: ServerResponse) => void };

/**
 * The content security policy of the pages. Nothing is loaded from other origins, and no text of a page can run as a
 * script.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const headers = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
const longestBody = 64 * 1024;
/** The time between two checks for changes to send, in milliseconds. */
const interval = 250;
/**
 * The maximum number of rows in one event, so that a page that opens after many requests shows some rows immediately.
 */
const mostRows = 200;

/** Creates the console. Without a password, the console accepts only requests from this machine. */
export function createConsole(parts: ConsoleParts, password: string | undefined): Console {
  return {
    handle(incoming, response) {
      const refusal = explainRefusal(incoming, password);
      if (refusal) {
        incoming.resume();
        response.writeHead(refusal.status, { ...headers, ...refusal.headers, 'content-type': 'text/plain' });
        response.end(`${refusal.message}\n`);
        return;
      }
      respond(parts, incoming, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else send(response, 500, 'text/plain', `${error instanceof Error ? error.message : error}\n`);
      });
    },
  };
}

function send(response: ServerResponse, status: number, type: string, text: string | undefined): void {
  response.writeHead(status, {
    ...headers,
    'content-security-policy': policy,
    ...(text !== undefined && { 'content-type': `${type}; charset=utf-8` }),
  });
  response.end(text);
}

async function respond(
  parts: ConsoleParts,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (incoming.url ?? '').split('?', 1)[0]?.slice(consolePath.length).replace(/\/$/, '') ?? '';
  const { method = 'GET' } = incoming;
  if (path.startsWith('/api/')) {
    const text = await readText(incoming);
    if (text === undefined) return send(response, 413, 'text/plain', 'The body is longer than 64 KiB.\n');
    const { status, value } = respondByApi(parts, { method, path: path.slice('/api'.length), text });
    const json = value === undefined ? undefined : JSON.stringify(value);
    return send(response, status, 'application/json', json);
  }
  incoming.resume();
  if (method !== 'GET' && method !== 'HEAD') return send(response, 405, 'text/plain', 'Use GET.\n');
  if (path === '/events') return sendChanges(response, parts);
  if (path === '/conformance/report') {
    const report = await parts.conformance?.report();
    if (report === undefined)
      return send(
        response,
        404,
        'text/plain',
        parts.conformance
          ? 'No run has finished yet. Start a run on the Conformance page.\n'
          : 'This gateway has no suite to run.\n',
      );
    // The report contains its own content security policy, with the hashes of its style and script.
    response.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(report);
    return;
  }
  const { formatPage, script, styleSheet } = await import('./page.tsx');
  if (path === '/console.js') return send(response, 200, 'text/javascript', script);
  if (path === '/console.css') return send(response, 200, 'text/css', styleSheet);
  const page = formatPage(parts, path);
  if (page === undefined)
    return send(response, 404, 'text/plain', `This page does not exist. The console is at ${consolePath}.\n`);
  send(response, 200, 'text/html', page);
}

/** Returns the body of a request as text; undefined if the body is longer than 64 KiB. */
async function readText(incoming: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length <= longestBody) parts.push(bytes);
  }
  return length > longestBody ? undefined : Buffer.concat(parts).toString();
}

/** Sends all stored requests as events, and then the changes, until the browser disconnects. */
function sendChanges(response: ServerResponse, { journal, situations, conformance }: ConsoleParts): void {
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  let [sent, sentState] = [-1, ''];
  const sendNew = (): void => {
    const revision = journal.revision();
    const state = JSON.stringify([situations.list(), conformance?.state()]);
    // If a browser does not read its events, this process must not buffer more events.
    if ((revision === sent && state === sentState) || response.writableNeedDrain) return;
    const rows = journal.changedSince(sent).map(describeRow);
    [sent, sentState] = [revision, state];
    for (let start = 0; start === 0 || start < rows.length; start += mostRows) {
      const change: ConsoleChange = { rows: rows.slice(start, start + mostRows), count: journal.count() };
      response.write(`data: ${JSON.stringify(change)}\n\n`);
    }
  };
  sendNew();
  const timer = setInterval(sendNew, interval);
  response.on('close', () => clearInterval(timer));
}
