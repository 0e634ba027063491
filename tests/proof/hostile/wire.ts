import type { Misbehave } from './behaviour.ts';

const id = '0d1c2b3a-4f5e-4a6b-8c7d-9e0f1a2b3c4d';

/** The body of the expected response. */
export const expectedBody = JSON.stringify({
  error: { message: 'No key.', type: 'missing_auth_credential', code: 401, details: null },
  trace_id: id,
});

/** Returns the head of a response, with further headers. */
export function head(...lines: readonly string[]): string {
  return [
    'HTTP/1.1 401 Unauthorized',
    'content-type: application/json',
    `x-trace-id: ${id}`,
    ...lines,
    '',
    '',
  ].join('\r\n');
}

/** Returns a complete response with this body. */
export function response(body: string, ...lines: readonly string[]): string {
  return head(`content-length: ${Buffer.byteLength(body)}`, ...lines) + body;
}

export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

/** Writes bytes and leaves the connection open. */
export function send(...pieces: readonly (string | Buffer)[]): Misbehave {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
}

export function sendAndEnd(...pieces: readonly (string | Buffer)[]): Misbehave {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
    socket.end();
  };
}

/** Writes `first`, then `again` for `times` times, by default without end, as fast as the client reads. */
export function sendRepeatedly(
  first: string | Buffer,
  again: string | Buffer,
  times = Number.POSITIVE_INFINITY,
): Misbehave {
  return (socket) => {
    let left = times;
    const more = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= 1;
        if (!socket.write(again)) return;
      }
    };
    socket.write(first);
    socket.on('drain', more);
    more();
  };
}

/** Writes a text repeatedly, one character at a time. */
export function drip(text: string, everyMs: number): Misbehave {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ''), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Sends a complete response with this body, then closes the connection. */
export function withBody(body: string | Buffer, ...lines: readonly string[]): Misbehave {
  return sendAndEnd(head(`content-length: ${Buffer.byteLength(body)}`, ...lines), body);
}
