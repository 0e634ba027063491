import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Wire } from './answer.ts';

/**
 * Writes an answer to its connection as the wire states it; resolves once it is written, or handed over in one piece, or
 * the client has gone.
 */
export async function writeWire(wire: Wire, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  if (isPlain(wire)) return writePlain(wire, response);
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  response.once('close', leave);
  try {
    await wait(wire.after, gone.signal);
    response.writeHead(wire.status, wire.reason, headersOf(wire).flat());
    for (const { after, bytes } of wire.chunks) {
      await wait(after, gone.signal);
      if (!response.write(bytes)) await event(response, 'drain', gone.signal);
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
  response.writeHead(wire.status, wire.reason, headersOf(wire).flat());
  response.end(wire.chunks[0]?.bytes);
}

function headersOf(wire: Wire): readonly (readonly [string, string])[] {
  // 204 and 304 have no body, and so no length of one.
  if (wire.framing === 'chunked' || wire.status === 204 || wire.status === 304) return wire.headers;
  const length = wire.chunks.reduce((total, chunk) => total + chunk.bytes.length, 0);
  return [...wire.headers, ['content-length', String(length)]];
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
