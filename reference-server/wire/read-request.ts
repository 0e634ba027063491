import type { IncomingMessage } from 'node:http';
import type { BodyResult, ServerRequest } from './request.ts';

const noQuery = new URLSearchParams();
const nothing = new Uint8Array();

/** Converts a Node.js request to a gateway request. The body is not read until `readBody` is called. */
export function readRequest(incoming: IncomingMessage): ServerRequest {
  const { path, search } = splitTarget(incoming.url ?? '/');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: search === '' ? noQuery : new URLSearchParams(search),
    headers: joinHeaders(incoming),
    connection: `${incoming.socket.remoteAddress}:${incoming.socket.remotePort}`,
    readBody: createBodyReader(incoming),
  };
}

/** A placeholder for a request that could not be read. */
export const emptyRequest: ServerRequest = {
  method: 'GET',
  path: '/',
  query: noQuery,
  headers: {},
  connection: '',
  readBody: () => ({ kind: 'read', bytes: nothing }),
};

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  // Clients of a proxy send the target in absolute form (RFC 9112, 3.2.2), which contains the scheme and the host
  // before the path.
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = local.indexOf('?');
  const path = end < 0 ? local : local.slice(0, end);
  return { path: path === '' ? '/' : path, search: end < 0 ? '' : local.slice(end + 1) };
}

function joinHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  if (areStrings(headers)) return headers;
  const read: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    read[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return read;
}

// Node.js represents each header as one string, except for `set-cookie`.
const areStrings = (headers: NodeJS.Dict<string | string[]>): headers is NodeJS.Dict<string> =>
  headers['set-cookie'] === undefined;

function createBodyReader(incoming: IncomingMessage): ServerRequest['readBody'] {
  let body: BodyResult | Promise<BodyResult> | undefined;
  const read = (limit: number): Promise<BodyResult> =>
    new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let length = 0;
      const settle = (arrived: BodyResult): void => {
        body = arrived;
        resolve(arrived);
      };
      incoming.on('data', (part: Buffer) => {
        length += part.length;
        // The rest of the body is read and dropped. If the connection were closed, the response would be lost.
        if (length <= limit) parts.push(part);
        else settle({ kind: 'too-large', limit });
      });
      incoming.on('end', () => {
        if (length <= limit) settle({ kind: 'read', bytes: Buffer.concat(parts) });
      });
      // If the client aborts the request, `close` is emitted without `end`.
      incoming.on('close', () => {
        if (!incoming.readableEnded)
          reject(new Error('the client closed the connection before the end of the body'));
      });
    });
  return (limit) => {
    body ??= incoming.complete ? readArrivedBody(incoming, limit) : read(limit);
    return body;
  };
}

/** Reads the body of a request that has arrived completely. */
function readArrivedBody(incoming: IncomingMessage, limit: number): BodyResult {
  const bytes: unknown = incoming.read();
  if (!(bytes instanceof Uint8Array)) return { kind: 'read', bytes: nothing };
  return bytes.length > limit ? { kind: 'too-large', limit } : { kind: 'read', bytes };
}
