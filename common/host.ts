import { BlockList, isIP } from 'node:net';

/**
 * Returns the host name in the value of a `Host` header, in the form of `URL.hostname` and without a dot at the end.
 * Omits the port. Returns undefined if the value is not a valid host.
 */
export function normalizeHost(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

/**
 * Whether a normalized host name or an IP address is `localhost`, a subdomain of `localhost`, `::1`, an address in
 * 127.0.0.0/8, or the IPv4-mapped form of such an address. An IPv6 address can be in brackets.
 */
export function isLoopback(name: string): boolean {
  if (/^(.+\.)?localhost$/.test(name)) return true;
  const address = name.replace(/^\[|\]$/g, '');
  const version = isIP(address);
  return version !== 0 && loopbackAddresses.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

// The check also compares IPv4-mapped addresses, such as `::ffff:7f00:1`, with the range of IPv4 addresses.
const loopbackAddresses = new BlockList();
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4');
loopbackAddresses.addAddress('::1', 'ipv6');
