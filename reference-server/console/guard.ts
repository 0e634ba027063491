import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback, normalizeHost } from '../../common/host.ts';

/** The response to a request that the console refuses. */
export type ConsoleRefusal = {
  readonly status: 401 | 403 | 415;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Returns the refusal of a request to the console; undefined if the request is allowed. Without a password, or with
 * an empty password, the request must come from this machine, and its host must be a loopback name or address, such
 * as `localhost`. The rule for the host prevents DNS rebinding. With a password, the request must contain the
 * password. A request other than GET and HEAD must come from a page of the console, or from a client that is not a
 * browser. A request other than GET, HEAD and DELETE also needs the content type `application/json`.
 */
export function explainRefusal(
  {
    headers,
    method = 'GET',
    socket: { remoteAddress = '' },
  }: Pick<IncomingMessage, 'headers' | 'method'> & { readonly socket: { readonly remoteAddress?: string } },
  password: string | undefined,
): ConsoleRefusal | undefined {
  const places = [normalizeHost(headers.host ?? '') ?? '', remoteAddress];
  if (!password && !places.every(isLoopback))
    return {
      status: 403,
      message:
        'Without a password, the console is available only from the machine of the gateway, at names such as localhost.',
    };
  if (password && !hasPassword(headers.authorization, password))
    return {
      status: 401,
      message: 'The console requires its password. Any user name is accepted.',
      headers: { 'www-authenticate': 'Basic realm="console", charset="UTF-8"' },
    };
  if (method === 'GET' || method === 'HEAD') return undefined;
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = headers;
  const isForeign = origin !== undefined && origin !== `http://${headers.host}`;
  if (isForeign || (site !== undefined && site !== 'same-origin'))
    return {
      status: 403,
      message: 'The request was rejected because a page of another site sent the request.',
    };
  // A form on another site can send neither the content type of JSON nor the method DELETE.
  return /^application\/json\s*(;|$)/i.test(type) || method === 'DELETE'
    ? undefined
    : { status: 415, message: 'Send the content type application/json.' };
}

function hasPassword(authorization: string | undefined, password: string): boolean {
  const [, encoded = ''] = /^basic +(\S+)$/i.exec(authorization ?? '') ?? [];
  const sent = Buffer.from(encoded, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
  const [a, b] = [sent, password].map((text) => Buffer.from(text));
  return a !== undefined && b !== undefined && a.length === b.length && timingSafeEqual(a, b);
}
