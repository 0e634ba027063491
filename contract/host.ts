import { isIP } from 'node:net';

/**
 * Returns the host name in the value of a `Host` header, in the form of `URL.hostname` and without a dot at the end.
 * Omits the port. Returns undefined if the value is not a valid host.
 */
export function normalizeHost(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

/**
 * Whether a normalized host name or an IP address is `localhost`, a subdomain of `localhost`, `::1`, or an address in
 * 127.0.0.0/8.
 */
export function isLoopback(name: string): boolean {
  return (
    /^(.+\.)?localhost$/.test(name) ||
    /^(::1|\[::1\])$/.test(name) ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}
