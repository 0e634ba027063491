import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Wire } from './answer.ts';

/** Writes an answer to its connection as the wire states it; resolves once it is written or the client has gone. */
export async function writeWire(wire: Wire, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) return;
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
  }
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
