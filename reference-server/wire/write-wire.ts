import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chunk, WireResponse } from './response.ts';
import { encodeChunk } from './wire-changes.ts';
import { writeText } from './write-text.ts';

/**
 * Writes a response to its connection. The returned promise resolves when the response is written or the connection
 * is closed. Returns undefined if the response was written in one piece, or if the connection was already closed.
 * Throws or rejects if Node.js cannot write the response, for example because a header is invalid.
 */
export function writeWire(wire: WireResponse, response: ServerResponse): Promise<void> | undefined {
  if (response.destroyed) return undefined;
  if (!isPlain(wire)) return writeWithPauses(wire, response);
  writePlain(wire, response);
  return undefined;
}

async function writeWithPauses(wire: WireResponse, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await wait(wire.after, gone.signal);
    if (wire.released) await Promise.race([wire.released, aborted(gone.signal)]);
    if (gone.signal.aborted) return;
    if (wire.ending === 'unanswered') {
      response.destroy();
      return;
    }
    response.writeHead(wire.status, wire.reason, flattenHeaders(wire));
    for (const chunk of wire.chunks) {
      await wait(chunk.after, gone.signal);
      if (!response.write(encodeChunk(chunk))) await waitForEvent(response, 'drain', gone.signal);
    }
    if (wire.ending === 'cut') response.destroy();
    else {
      const { socket } = response;
      const finished = waitForEvent(response, 'finish', gone.signal);
      response.end();
      await finished;
      if (wire.ending === 'closed') socket?.end();
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
  }
}

// Most responses have at most one chunk and no pauses, and therefore need one write and no timers.
const isPlain = ({ after, released, chunks, framing, ending }: WireResponse): boolean =>
  framing === 'length' &&
  released === undefined &&
  ending === 'finish' &&
  after <= 0 &&
  chunks.length <= 1 &&
  chunks.every((chunk) => chunk.after <= 0);

function writePlain(wire: WireResponse, response: ServerResponse): void {
  const [chunk = nothing] = wire.chunks;
  if (isText(chunk) && writeText(wire, chunk.data, response)) return;
  response.writeHead(wire.status, wire.reason, flattenHeaders(wire));
  // Node.js sends the head and a text body in one write. In latin1, each byte is one character.
  if (isText(chunk)) response.end(chunk.data, 'latin1');
  else response.end(encodeChunk(chunk));
}

const nothing: Chunk = { after: 0, data: '' };

/** Whether a chunk is text in which each character is a single byte in UTF-8. */
const isText = (chunk: Chunk): chunk is Chunk & { readonly data: string } =>
  typeof chunk.data === 'string' && Buffer.byteLength(chunk.data) === chunk.data.length;

/**
 * Returns a list in which each name is followed by its value, the form that Node.js processes fastest. Adds
 * `content-length`, unless the body is chunked or the status allows no body.
 */
function flattenHeaders(wire: WireResponse): string[] {
  const headers: string[] = [];
  for (const [name, value] of wire.headers) headers.push(name, value);
  // 204 and 304 have no body and no content length.
  if (wire.framing === 'chunked' || wire.status === 204 || wire.status === 304) return headers;
  const length = wire.chunks.reduce((total, { data }) => total + Buffer.byteLength(data), 0);
  headers.push('content-length', String(length));
  return headers;
}

const wait = (after: number, signal: AbortSignal): Promise<void> | undefined =>
  after > 0 ? pause(after, undefined, { signal }) : undefined;

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve()));

const waitForEvent = (
  response: ServerResponse,
  name: 'drain' | 'finish',
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off(name, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once(name, done);
    signal.addEventListener('abort', done);
  });
