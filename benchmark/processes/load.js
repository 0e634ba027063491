// Sends the same request repeatedly on several connections, and prints the number of responses and the time in seconds
// as JSON. Each connection sends the next request as soon as the previous response is complete. Only the head of a
// response is parsed, so that this process does not limit the server. Arguments: a base URL, the number of connections,
// the duration in milliseconds.
import { connect } from 'node:net';
import { chatCall } from '../measure/call.js';

const [url = '', concurrency = '', milliseconds = ''] = process.argv.slice(2);
const { host, hostname, port } = new URL(url);
const { method, path, headers, body } = chatCall;
const lines = Object.entries({ host, ...headers, 'content-length': Buffer.byteLength(body) });
const request = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;

let answered = 0;
const from = performance.now();
const isOver = () => performance.now() - from >= Number(milliseconds);

/**
 * Returns the length of the whole response, head and body, in bytes; undefined if the head is incomplete. Throws an
 * error if the status is not 200.
 * @param {string} text
 */
function lengthOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  if (!text.startsWith('HTTP/1.1 200 ')) throw new Error(text);
  return end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
}

/** Sends requests on one connection until the time is over. @returns {Promise<void>} */
const inARow = () =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket
      .setNoDelay()
      .setEncoding('latin1')
      .on('error', reject)
      .on('close', resolve)
      .on('data', (part) => {
        text += part;
        const length = lengthOf(text);
        if (length === undefined || text.length < length) return;
        answered += 1;
        text = '';
        if (isOver()) socket.end();
        else socket.write(request);
      });
  });

await Promise.all(Array.from({ length: Number(concurrency) }, inARow));
const seconds = (performance.now() - from) / 1000;
process.stdout.write(JSON.stringify({ answered, seconds }));
