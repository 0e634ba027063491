import type { IncomingMessage } from 'node:http';
import type { BodyRead, GatewayRequest } from './context.ts';

/** A request as Node received it, in the gateway's terms; its body stays unread until it is asked for. */
export function readRequest(incoming: IncomingMessage): GatewayRequest {
  const { path, search } = splitTarget(incoming.url ?? '/');
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  let body: Promise<BodyRead> | undefined;
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(search),
    headers,
    readBody: (limit) => {
      body ??= readBody(incoming, limit);
      return body;
    },
  };
}

/** What stands in for a request that could not be read. */
export const noRequest: GatewayRequest = {
  method: 'GET',
  path: '/',
  query: new URLSearchParams(),
  headers: {},
  readBody: () => Promise.resolve({ kind: 'read', bytes: new Uint8Array() }),
};

function splitTarget(target: string): { readonly path: string; readonly search: string } {
  // The absolute form, as a proxy sends it (RFC 9112, 3.2.2), leads to the same path.
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const end = local.indexOf('?');
  const path = end < 0 ? local : local.slice(0, end);
  return { path: path === '' ? '/' : path, search: end < 0 ? '' : local.slice(end + 1) };
}

function readBody(incoming: IncomingMessage, limit: number): Promise<BodyRead> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    incoming.on('data', (part: Buffer) => {
      length += part.length;
      // The rest is still read, to nowhere: closing the connection now would lose the answer.
      if (length <= limit) parts.push(part);
      else resolve({ kind: 'too-large', limit });
    });
    incoming.on('end', () => resolve({ kind: 'read', bytes: Buffer.concat(parts) }));
    // What breaks off closes, too.
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(new Error('the client went away'));
    });
  });
}
