import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type Framing, lowerValue, requestFraming, valuesOf } from './headers.ts';

/** A request that the proxy does not pass on. No exchange comes of it: it is nothing that the gateway or a client answers for. */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly status: 400 | 403 | 413 | 431 | 501;
  /** What is wrong, and what to do about it; it may have text of the client. */
  readonly detail: string;
}

/** `malformed`: servers could read it in different ways; `host`: for another host; `cross-site`: of a page of another site. */
export type RefusalReason = 'malformed' | 'host' | 'cross-site';

/** How to send on a request that is passed on, or why it is refused. */
export type Admission = { readonly framing: Framing; readonly path: string } | { readonly refusal: Refusal };

/** Decides whether a request is passed on. */
export function admit(request: IncomingMessage, isAllowed: HostTest): Admission {
  const malformed = (detail: string): Admission => ({
    refusal: { reason: 'malformed', status: 400, detail },
  });
  const read = requestFraming(request);
  if ('problem' in read) return malformed(`The request is ambiguous: ${read.problem}.`);
  const target = readTarget(request);
  if (!target) return malformed('The request target is neither a path nor an http URL.');
  const hosts = [...valuesOf(request.rawHeaders, 'host'), ...target.hosts];
  const foreign = hosts.find((host) => !isAllowed(host));
  if (foreign !== undefined)
    return { refusal: { reason: 'host', status: 403, detail: hostRefusal(foreign) } };
  const site = otherSite(request, isAllowed);
  if (site !== undefined) return { refusal: { reason: 'cross-site', status: 403, detail: site } };
  return { framing: read.framing, path: target.path };
}

/** The path with its query, and the host that an absolute URL names; undefined if it is neither. */
function readTarget({ method, url = '' }: IncomingMessage): { path: string; hosts: string[] } | undefined {
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return { path: url, hosts: [] };
  // A client that takes this for a forward proxy sends the whole URL.
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return undefined;
  return { path: rest.startsWith('/') ? rest : `/${rest}`, hosts: [host] };
}

/** What is wrong if a browser sent the request for a page of a host that is not allowed; undefined otherwise. */
function otherSite({ rawHeaders }: IncomingMessage, isAllowed: HostTest): string | undefined {
  const origins = valuesOf(rawHeaders, 'origin').map((origin) =>
    URL.canParse(origin) ? new URL(origin).host : '',
  );
  // Without an origin, as of an image or a link, there is no name to allow.
  if (origins.length === 0 && lowerValue(rawHeaders, 'sec-fetch-site') === 'cross-site') origins.push('');
  const foreign = origins.find((host) => !isAllowed(host));
  return foreign === undefined
    ? undefined
    : `A web page of another site sent the request. ${howToAllow(foreign)}`;
}

/** Whether a request with this `Host` header, or a page at this host, is answered. */
export type HostTest = (host: string | undefined) => boolean;

/**
 * Allows the names of this machine, the address that is listened on, and `names`; `*` among them allows every name. A page
 * of another site can make its own name point to this machine (DNS rebinding), but it can't choose a name of this list.
 */
export function allowedHosts(names: readonly string[], address: string): HostTest {
  if (names.includes('*')) return () => true;
  const allowed = new Set([...names, address.includes(':') ? `[${address}]` : address].map(nameOf));
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  return (host) => {
    // A client of HTTP/1.0 may leave it out; a browser never does.
    if (host === undefined) return true;
    const name = nameOf(host);
    if (name === undefined) return false;
    return allowed.has(name) || isLoopback(name) || (isAnyAddress && isIP(name.replace(/^\[|\]$/g, '')) > 0);
  };
}

/** Says that a host is not allowed, and how to allow it. */
export function hostRefusal(host: string): string {
  return `The host ${nameOf(host) ?? 'of the request'} is not allowed. ${howToAllow(host)}`;
}

/** Says which flag allows a host; of a page without a host, such as a file, only all hosts together can be allowed. */
export function howToAllow(host: string): string {
  return `Use --allow-host '${nameOf(host) ?? '*'}' to allow it.`;
}

/** The name in a `Host` header, without its port and in its usual form; undefined if it is not a valid host. */
export function nameOf(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name) || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'));
}
