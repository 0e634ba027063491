import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** @param {import('node:http').IncomingHttpHeaders} headers */
const toPairs = (headers) => Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }));

/**
 * Converts a recorded exchange to a HAR 1.2 entry in the form that a browser writes.
 * @param {import('./record.js').Exchange} exchange
 * @param {string} url
 */
function entryOf({ request, answer }, url) {
  const target = new URL(request.path, url);
  return {
    startedDateTime: new Date().toISOString(),
    time: 10,
    request: {
      method: request.method,
      url: target.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs({ host: target.host, ...request.headers }),
      queryString: [...target.searchParams].map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: -1,
      ...(request.body !== null && {
        postData: { mimeType: String(request.headers['content-type'] ?? ''), text: request.body },
      }),
    },
    response: {
      status: answer.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(answer.headers),
      content: {
        size: Buffer.byteLength(answer.body),
        mimeType: String(answer.headers['content-type'] ?? ''),
        text: answer.body,
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: 10, receive: 0 },
  };
}

/**
 * Generates this number of HAR entries as JSON texts. The exchanges repeat, with a new trace ID in each entry.
 * @param {readonly import('./record.js').Exchange[]} exchanges
 * @param {string} url
 * @param {number} count
 */
export function* generateEntries(exchanges, url, count) {
  const texts = exchanges.map((exchange) => {
    const trace = String(exchange.answer.headers['x-trace-id']);
    return JSON.stringify(entryOf(exchange, url)).split(trace);
  });
  for (let index = 0; index < count; index += 1) {
    yield (texts[index % texts.length] ?? []).join(randomUUID());
  }
}

/**
 * Returns a stream of entries as NDJSON. The entries are generated while the stream is read.
 * @param {Iterable<string>} texts
 */
export const toNdjson = (texts) =>
  Readable.from(
    (function* () {
      for (const text of texts) yield `${text}\n`;
    })(),
    { objectMode: false, highWaterMark: 1024 * 1024 },
  );

/** Writes entries as a HAR file. @param {string} file @param {Iterable<string>} texts */
export async function writeHar(file, texts) {
  await pipeline(
    Readable.from(
      (function* () {
        yield '{"log":{"version":"1.2","creator":{"name":"benchmark","version":"1"},"entries":[';
        let separator = '';
        for (const text of texts) {
          yield separator + text;
          separator = ',\n';
        }
        yield ']}}';
      })(),
    ),
    createWriteStream(file),
  );
}
