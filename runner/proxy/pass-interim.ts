import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { mostInterim } from '../send/interim.ts';
import { interimHeaders } from './pass-headers.ts';
import { isOld } from './pass-request.ts';
import { headerLines } from './raw-headers.ts';

/**
 * Passes on the interim responses of the gateway (1xx), such as 100 and 103, at the pace of the client; calls `onTooMany`
 * instead where no response comes after so many of them.
 */
export function passInterim(
  upstream: ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  onTooMany: () => void,
): void {
  let count = 0;
  let isHeld = false;
  upstream.on('information', ({ statusCode, statusMessage, rawHeaders }) => {
    count += 1;
    if (count > mostInterim) return onTooMany();
    const { socket: client } = response;
    if (response.headersSent || isOld(request) || !client) return;
    if (statusCode === 100 && count === 1) response.writeContinue();
    else {
      const lines = headerLines(interimHeaders(rawHeaders)).map(([name, value]) => `${name}: ${value}\r\n`);
      client.write(`HTTP/1.1 ${statusCode} ${reasonOf(statusMessage)}\r\n${lines.join('')}\r\n`, 'latin1');
    }
    if (!client.writableNeedDrain || isHeld) return;
    isHeld = true;
    // Node resumes the connection once it has read each of them.
    queueMicrotask(() => upstream.socket?.pause());
    client.once('drain', () => {
      isHeld = false;
      upstream.socket?.resume();
    });
  });
}

/** A reason as it was sent; none where it has characters that HTTP does not allow and Node reads. */
function reasonOf(statusMessage: string): string {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : '';
}
