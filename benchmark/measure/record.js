import { request } from 'node:http';
import { startServer } from './listen.js';

/**
 * A recorded request, without the headers of its connection.
 * @typedef {{ method: import('undici').Dispatcher.HttpMethod, path: string, headers:
 * import('node:http').IncomingHttpHeaders, body: string | null }} RecordedRequest
 */

/**
 * A recorded response.
 * @typedef {{ status: number, headers: import('node:http').IncomingHttpHeaders, body: string }} RecordedResponse
 */
/** @typedef {{ request: RecordedRequest, answer: RecordedResponse }} Exchange */

const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/**
 * Opens a proxy that records every request in the order of arrival, and each complete response. Until a response is
 * complete, its `status` is 0.
 * @param {string} baseUrl
 * @returns {Promise<{ url: string, exchanges: Exchange[], close: () => void }>}
 */
export async function openRecorder(baseUrl) {
  /** @type {Exchange[]} */
  const exchanges = [];
  const { url, close } = await startServer(async (asked, response) => {
    const { url = '/', headers } = asked;
    const method = /** @type {RecordedRequest['method']} */ (asked.method);
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
