import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { isLoopback, normalizeHost } from '../../../common/host.ts';
import { type Framing, readLowerCase, readRequestFraming, readValues } from './headers.ts';
import { maxHeaderBytes } from './upstream.ts';

/**
 * The refusal of a request. The proxy does not forward a refused request, and does not report the request as an
 * exchange.
 */
export interface Refusal {
  readonly reason: RefusalReason;
  readonly status: 400 | 403 | 431 | 501;
  /** The problem and, if a remedy is known, the remedy. May contain text that the client sent. */
  readonly detail: string;
}

/**
 * `malformed`: invalid, ambiguous, unsupported, or with headers that are too long; `host`: for a host that is not
 * allowed; `cross-site`: from a web page that is not allowed.
 */
export type RefusalReason = 'malformed' | 'host' | 'cross-site';

/** The framing and the path with which to forward a request, or the refusal of the request. */
export type Admission = { readonly framing: Framing; readonly path: string } | { readonly refusal: Refusal };

/**
 * Returns the framing and the path with which to forward a request. Refuses a request that is malformed, asks for a
 * WebSocket, is for a host that is not allowed, or is from a web page that is not allowed.
 */
export function admitRequest(request: IncomingMessage, isAllowed: HostTest): Admission {
  const malformed = (detail: string, status: 400 | 501 = 400): Admission => ({
    refusal: { reason: 'malformed', status, detail },
  });
  const read = readRequestFraming(request);
  if ('problem' in read) return malformed(`The proxy cannot forward the request: ${read.problem}.`);
  const target = readTarget(request);
  if (!target) return malformed('The request target is neither a path nor an HTTP URL.');
  const hosts = [...readValues(request.rawHeaders, 'host'), ...target.hosts];
  const foreign = hosts.find((host) => !isAllowed(host));
  if (foreign !== undefined)
    return { refusal: { reason: 'host', status: 403, detail: formatHostRefusal(foreign) } };
  const site = findForeignSite(request, isAllowed);
  if (site !== undefined) return { refusal: { reason: 'cross-site', status: 403, detail: site } };
  if (readLowerCase(request.rawHeaders, 'upgrade') === 'websocket')
    return malformed('The proxy does not support WebSockets. Connect to the gateway directly.', 501);
  return { framing: read.framing, path: target.path };
}

/** An error of a connection with a client, or of the parser of Node.js. */
export interface ClientError extends Error {
  readonly code?: string;
  readonly reason?: string;
}

/**
 * Returns the refusal of a request that the parser of Node.js can't read; undefined if the connection failed, for
 * example because the client has gone.
 */
export function refuseInvalid({ code = '', reason, message }: ClientError): Refusal | undefined {
  if (!code.startsWith('HPE_')) return undefined;
  return code === 'HPE_HEADER_OVERFLOW'
    ? {
        reason: 'malformed',
        status: 431,
        detail: `The headers of the request are longer than ${maxHeaderBytes / 1024} KiB.`,
      }
    : { reason: 'malformed', status: 400, detail: `The request is not valid HTTP: ${reason ?? message}.` };
}

function readTarget({ method, url = '' }: IncomingMessage): { path: string; hosts: string[] } | undefined {
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return { path: url, hosts: [] };
  // A client that uses this proxy as a forward proxy sends the whole URL.
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(url) ?? [];
  if (host === undefined) return undefined;
  return { path: rest.startsWith('/') ? rest : `/${rest}`, hosts: [host] };
}

/** Returns an explanation if a web page that is not allowed sent the request; undefined otherwise. */
function findForeignSite({ rawHeaders }: IncomingMessage, isAllowed: HostTest): string | undefined {
  const origins = readValues(rawHeaders, 'origin').map((origin) =>
    URL.canParse(origin) ? new URL(origin).host : '',
  );
  // Requests for images and links have no `Origin`, so only `*` allows these requests from another site.
  if (origins.length === 0 && readLowerCase(rawHeaders, 'sec-fetch-site') === 'cross-site') origins.push('');
  const foreign = origins.find((host) => !isAllowed(host));
  return foreign === undefined
    ? undefined
    : `A web page of another site sent the request. ${formatAllowFlag(foreign)}`;
}

/** Whether requests with this `Host` header, and pages at this host, are allowed. */
export type HostTest = (host: string | undefined) => boolean;

/**
 * Creates a test that allows loopback hosts, the address of the server, `names`, and a missing host. The name `*`
 * allows every host. If the server listens on all addresses, the test allows every IP address. A page of another site
 * can make its host name point to this machine (DNS rebinding), but the page cannot use an allowed name.
 */
export function createHostTest(names: readonly string[], address: string): HostTest {
  if (names.includes('*')) return () => true;
  const allowed = new Set([...names, address.includes(':') ? `[${address}]` : address].map(normalizeHost));
  const isAnyAddress = address === '0.0.0.0' || address === '::';
  return (host) => {
    // An HTTP/1.0 client may omit `Host`, but a browser always sends `Host`.
    if (host === undefined) return true;
    const name = normalizeHost(host);
    if (name === undefined) return false;
    return allowed.has(name) || isLoopback(name) || (isAnyAddress && isIP(name.replace(/^\[|\]$/g, '')) > 0);
  };
}

/** Formats the message that a host is not allowed, with the flag that allows the host. */
export function formatHostRefusal(host: string): string {
  return `The host ${normalizeHost(host) ?? 'of the request'} is not allowed. ${formatAllowFlag(host)}`;
}

/** Formats a sentence with the flag that allows a host. Only `*` allows a page without a host, such as a local file. */
export function formatAllowFlag(host: string): string {
  const name = normalizeHost(host);
  return name === undefined
    ? "Use --allow-host '*' to allow all hosts."
    : `Use --allow-host '${name}' to allow this host.`;
}
