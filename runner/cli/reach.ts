import { readFileSync } from 'node:fs';
import { getProxyForUrl } from 'proxy-from-env';
import { UsageError } from '../profile/profile.ts';
import type { Reach } from '../send/reach.ts';
import { tell } from './tell.ts';

/** The flags that say whom to trust. */
export interface ReachFlags {
  readonly ca?: string;
  readonly insecure: boolean;
}

/** How the gateway is reached, by the flags and by what the environment says of proxies; throws UsageError. */
export function readReach({ ca, insecure }: ReachFlags): Reach {
  if (insecure) {
    tell('conformance: --insecure: nobody proves to be who they say; keys may be read by others on the way.');
  }
  return { ca: ca === undefined ? undefined : readCertificates(ca), insecure, proxy: proxyFor };
}

/** The proxy that the environment names for a gateway; none for one on this machine. Throws UsageError. */
function proxyFor(baseUrl: string): string | undefined {
  const { hostname, protocol } = new URL(baseUrl);
  const isHere =
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127(\.\d+){3}|\[::1\])$/.test(hostname);
  const proxy = isHere ? '' : getProxyForUrl(baseUrl);
  if (proxy === '') return undefined;
  const [name, stated] = stating(protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (!/^https?:\/\/[^/]/i.test(stated) || !URL.canParse(stated))
    throw new UsageError(`${name} is no web address. It looks like http://proxy.example:3128`);
  return proxy;
}

/** The variable that names the proxy, and what it says. */
function stating(own: string): readonly [string, string] {
  const names = [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
  const name = names.find((one) => process.env[one]) ?? own;
  return [name, process.env[name] ?? ''];
}

function readCertificates(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `The certificates ${file} can't be read: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`${file} has no certificate as PEM (-----BEGIN CERTIFICATE-----).`);
  return text;
}
