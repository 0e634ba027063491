import type { ServerResponse } from 'node:http';
import type { Wire } from './answer.ts';
import { keepAliveTimeout } from './listen.ts';

/** Headers that say nothing about the connection or the length of the body; all others are Node's to judge. */
const plainNames: ReadonlySet<string> = new Set([
  'content-type',
  'x-trace-id',
  'x-request-id',
  'request-id',
  'www-authenticate',
  'allow',
  'retry-after',
]);
const plainText = /^[\t\x20-\x7e]*$/;

/**
 * Hands an answer over whose body is a text of one byte a character: to the byte what Node would write, without what Node
 * keeps for answers that come in parts. False, and nothing is done, where the answer or its connection is not of the plainest.
 */
export function writeText(
  { status, reason, headers }: Wire,
  body: string,
  response: ServerResponse,
): boolean {
  const { socket } = response;
  // Behind an answer that is still under way there is no socket yet.
  if (!socket?.writable || !response.shouldKeepAlive) return false;
  if (response.req.method === 'HEAD' || !hasBody(status) || !plainText.test(reason)) return false;
  let head = `HTTP/1.1 ${status} ${reason}\r\n`;
  for (const [name, value] of headers) {
    if (!plainNames.has(name) || !plainText.test(value)) return false;
    head += `${name}: ${value}\r\n`;
  }
  head += `content-length: ${body.length}\r\nDate: ${date()}\r\nConnection: keep-alive\r\n${keptAlive}\r\n\r\n`;
  socket.write(head + body, 'latin1', (error) => {
    // By this event the server knows that the connection is free for the next request.
    if (!error) response.emit('finish');
  });
  return true;
}

const keptAlive = `Keep-Alive: timeout=${keepAliveTimeout / 1000}`;

const hasBody = (status: number): boolean =>
  status >= 200 && status < 600 && status !== 204 && status !== 304;

let second = 0;
let dateOfSecond = '';

/** The time as HTTP has it, made once a second. */
function date(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    dateOfSecond = new Date(now * 1000).toUTCString();
  }
  return dateOfSecond;
}
