import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chunk, Wire } from './answer.ts';
import { bytesOf } from './wire-changes.ts';
import { writeText } from './write-text.ts';

/**
 * Writes an answer to its connection as the wire states it. Nothing is left to wait for where it could be handed over in one
 * piece; else it resolves once all is written, or the client has gone.
 */
export function writeWire(wire: Wire, response: ServerResponse): Promise<void> | undefined {
  if (response.destroyed) return undefined;
  if (!isPlain(wire)) return writeInTime(wire, response);
  writePlain(wire, response);
  return undefined;
}

async function writeInTime(wire: Wire, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await wait(wire.after, gone.signal);
    response.writeHead(wire.status, wire.reason, headersOf(wire));
    for (const chunk of wire.chunks) {
      await wait(chunk.after, gone.signal);
      if (!response.write(bytesOf(chunk))) await event(response, 'drain', gone.signal);
    }
    if (wire.ending === 'cut') response.destroy();
    else {
      const finished = event(response, 'finish', gone.signal);
      response.end();
      await finished;
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
  }
}

// Most answers are whole at once: one write, and nothing that has to be called off.
const isPlain = ({ after, chunks, framing, ending }: Wire): boolean =>
  framing === 'length' &&
  ending === 'finish' &&
  after <= 0 &&
  chunks.length <= 1 &&
  chunks.every((chunk) => chunk.after <= 0);

function writePlain(wire: Wire, response: ServerResponse): void {
  const [chunk = nothing] = wire.chunks;
  if (isText(chunk) && writeText(wire, chunk.data, response)) return;
  response.writeHead(wire.status, wire.reason, headersOf(wire));
  // Node makes one text of the head and a body that is one; in this coding each byte is a character.
  if (isText(chunk)) response.end(chunk.data, 'latin1');
  else response.end(bytesOf(chunk));
}

const nothing: Chunk = { after: 0, data: '' };

/** Whether a piece is a text of which each character is a byte. */
const isText = (chunk: Chunk): chunk is Chunk & { readonly data: string } =>
  typeof chunk.data === 'string' && Buffer.byteLength(chunk.data) === chunk.data.length;

/** Names and values in turn, as Node takes them without a look at each pair. */
function headersOf(wire: Wire): string[] {
  const headers: string[] = [];
  for (const [name, value] of wire.headers) headers.push(name, value);
  // 204 and 304 have no body, and so no length of one.
  if (wire.framing === 'chunked' || wire.status === 204 || wire.status === 304) return headers;
  const length = wire.chunks.reduce((total, { data }) => total + Buffer.byteLength(data), 0);
  headers.push('content-length', String(length));
  return headers;
}

const wait = (after: number, signal: AbortSignal): Promise<void> | undefined =>
  after > 0 ? pause(after, undefined, { signal }) : undefined;

const event = (response: ServerResponse, name: 'drain' | 'finish', signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off(name, done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    response.once(name, done);
    signal.addEventListener('abort', done);
  });
