import type { IncomingMessage } from 'node:http';
import type { BodyRead, GatewayRequest } from '../gateway/context.ts';

const noQuery = new URLSearchParams();
const nothing = new Uint8Array();

/** A request as Node received it, in the gateway's terms; its body stays unread until it is asked for. */
export function readRequest(incoming: IncomingMessage): GatewayRequest {
  const { path, search } = splitTarget(incoming.url ?? '/');
  return {
    method: incoming.method ?? 'GET',
    path,
    query: search === '' ? noQuery : new URLSearchParams(search),
    headers: headersOf(incoming),
    readBody: bodyOf(incoming),
  };
}

/** What stands in for a request that could not be read. */
export const noRequest: GatewayRequest = {
  method: 'GET',
  path: '/',
  query: noQuery,
  headers: {},
  readBody: () => ({ kind: 'read', bytes: nothing }),
};

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  // The absolute form, as a proxy sends it (RFC 9112, 3.2.2), leads to the same path.
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = local.indexOf('?');
  const path = end < 0 ? local : local.slice(0, end);
  return { path: path === '' ? '/' : path, search: end < 0 ? '' : local.slice(end + 1) };
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  if (areTexts(headers)) return headers;
  const read: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    read[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return read;
}

// Of all headers that may come more than once, Node leaves only this one a list.
const areTexts = (headers: NodeJS.Dict<string | string[]>): headers is NodeJS.Dict<string> =>
  headers['set-cookie'] === undefined;

function bodyOf(incoming: IncomingMessage): GatewayRequest['readBody'] {
  let body: BodyRead | Promise<BodyRead> | undefined;
  const read = (limit: number): Promise<BodyRead> =>
    new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let length = 0;
      const settle = (arrived: BodyRead): void => {
        body = arrived;
        resolve(arrived);
      };
      incoming.on('data', (part: Buffer) => {
        length += part.length;
        // The rest is still read, to nowhere: closing the connection now would lose the answer.
        if (length <= limit) parts.push(part);
        else settle({ kind: 'too-large', limit });
      });
      incoming.on('end', () => {
        if (length <= limit) settle({ kind: 'read', bytes: Buffer.concat(parts) });
      });
      // What breaks off closes, too.
      incoming.on('close', () => {
        if (!incoming.readableEnded) reject(new Error('the client went away'));
      });
    });
  return (limit) => {
    body ??= incoming.complete ? arrivedBody(incoming, limit) : read(limit);
    return body;
  };
}

/** The body of a request that has arrived to its end, and of which nothing was read. */
function arrivedBody(incoming: IncomingMessage, limit: number): BodyRead {
  const bytes: unknown = incoming.read();
  if (!(bytes instanceof Uint8Array)) return { kind: 'read', bytes: nothing };
  return bytes.length > limit ? { kind: 'too-large', limit } : { kind: 'read', bytes };
}
