import { isIP } from 'node:net';

/** Returns the normalized name in a `Host` header, without its port; undefined if the host is not valid. */
export function normalizeHost(host: string): string | undefined {
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host) || !URL.canParse(`http://${host}`)) return undefined;
  return new URL(`http://${host}`).hostname.replace(/\.$/, '');
}

/** Whether a normalized host name always means this machine. */
export function isLoopback(name: string): boolean {
  return /^(.+\.)?localhost$/.test(name) || name === '[::1]' || (isIP(name) === 4 && name.startsWith('127.'));
}
