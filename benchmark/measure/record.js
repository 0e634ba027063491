import { request } from 'node:http';
import { listen } from './listen.js';

/**
 * A request as it went over the wire, but for what belongs to its connection.
 * @typedef {{ method: import('undici').Dispatcher.HttpMethod, path: string, headers: import('node:http').IncomingHttpHeaders, body: string | null }} Recorded
 */

/** How a request was answered; `body` is its text. @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: string }} Answered */
/** @typedef {{ request: Recorded, answer: Answered }} Exchange */

const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/**
 * Stands between a client and a server and keeps every request in the order of arrival, with its answer once that is over.
 * @param {string} baseUrl
 * @returns {Promise<{ url: string, exchanges: Exchange[], close: () => void }>}
 */
export async function openRecorder(baseUrl) {
  /** @type {Exchange[]} */
  const exchanges = [];
  const { url, close } = await listen(async (asked, response) => {
    const { url = '/', headers } = asked;
    const method = /** @type {Recorded['method']} */ (asked.method);
    const kept = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name));
    /** @type {Exchange} */
    const exchange = {
      request: { method, path: url, headers: Object.fromEntries(kept), body: null },
      answer: { status: 0, headers: {}, body: '' },
    };
    exchanges.push(exchange);
    const body = await read(asked);
    if (body.length > 0) exchange.request.body = body.toString();
    request(new URL(url, baseUrl), { method, headers }, async (answer) => {
      const { statusCode = 502 } = answer;
      response.writeHead(statusCode, answer.headers);
      answer.pipe(response);
      exchange.answer = {
        status: statusCode,
        headers: answer.headers,
        body: (await read(answer)).toString(),
      };
    }).end(body);
  });
  return { url, exchanges, close };
}

/** @param {import('node:http').IncomingMessage} message */
async function read(message) {
  const parts = [];
  for await (const part of message) parts.push(part);
  return Buffer.concat(parts);
}
