import { request } from 'node:http';
import { listen } from './listen.js';

/**
 * A request as it went over the wire, but for what belongs to its connection.
 * @typedef {{ method: import('undici').Dispatcher.HttpMethod, path: string, headers: import('node:http').IncomingHttpHeaders, body: string | null }} Recorded
 */

const ofTheConnection = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive'];

/**
 * Stands between a client and a server and keeps every request in the order of arrival.
 * @param {string} baseUrl
 * @returns {Promise<{ url: string, requests: Recorded[], close: () => void }>}
 */
export async function openRecorder(baseUrl) {
  /** @type {Recorded[]} */
  const requests = [];
  const { url, close } = await listen(async (asked, response) => {
    const { url = '/', headers } = asked;
    const method = /** @type {Recorded['method']} */ (asked.method);
    const kept = Object.entries(headers).filter(([name]) => !ofTheConnection.includes(name));
    /** @type {Recorded} */
    const recorded = { method, path: url, headers: Object.fromEntries(kept), body: null };
    requests.push(recorded);
    const parts = [];
    for await (const part of asked) parts.push(part);
    const body = Buffer.concat(parts);
    if (body.length > 0) recorded.body = body.toString();
    request(new URL(url, baseUrl), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end(body);
  });
  return { url, requests, close };
}
