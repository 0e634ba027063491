import { isIP } from 'node:net';

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
