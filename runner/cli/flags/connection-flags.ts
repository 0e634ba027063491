import { readFileSync } from 'node:fs';
import { getProxyForUrl } from 'proxy-from-env';
import { expandText } from '../../profile/expand.ts';
import { isCredentialHeader, isHeaderName, isHeaderValue } from '../../profile/header.ts';
import { UsageError } from '../../profile/profile.ts';
import { normalizeHost } from '../../proxy/admit-request.ts';
import type { ConnectionOptions } from '../../transport/pool.ts';
import { log } from '../io/terminal.ts';

/** The flags that say whom to trust. */
export interface ReachFlags {
  readonly ca?: string;
  readonly insecure: boolean;
}

/** How the gateway is reached, by the flags and by what the environment says of proxies; throws UsageError. */
export function readReach({ ca, insecure }: ReachFlags): ConnectionOptions {
  if (insecure) {
    log('conformance: --insecure: nobody proves to be who they say; keys may be read by others on the way.');
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

/** A header of `--header`. */
export interface GivenHeader {
  readonly name: string;
  /** As it is given, with its variables. */
  readonly text: string;
  /** With its variables replaced. */
  readonly value: string;
}

/** The headers of `--header 'NAME: VALUE'`; throws UsageError, with the flag and the remedy, for one that cannot be sent. */
export function readHeaderFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): GivenHeader[] {
  const headers = flags.map((flag) => readHeader(flag, environment));
  const names = headers.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`--header ${twice} is given twice.`);
  return headers;
}

/** The values of headers, by name. */
export function headerValues(headers: readonly GivenHeader[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

function readHeader(flag: string, environment: Readonly<Record<string, string | undefined>>): GivenHeader {
  const colon = flag.indexOf(':');
  const name = (colon < 0 ? flag : flag.slice(0, colon)).trim();
  const text = colon < 0 ? '' : flag.slice(colon + 1).trim();
  // What follows may be a key, and is not repeated.
  if (isCredentialHeader(name)) {
    throw new UsageError(
      `--header must not carry a credential (${name}). Set GATEWAY_API_KEY, or use --key-file.`,
    );
  }
  if (!isHeaderName(name) || text === '')
    throw new UsageError("--header takes NAME: VALUE, such as --header 'x-tenant: acme'.");
  const expanded = expandText(text, environment);
  if ('unset' in expanded)
    throw new UsageError(
      `--header ${name} needs the environment variable ${expanded.unset}, which is not set.`,
    );
  if (!isHeaderValue(expanded.text)) {
    throw new UsageError(
      `--header ${name} has a character that a header cannot carry, such as a line break.`,
    );
  }
  return { name, text, value: expanded.text };
}

/** The flag of every command that listens for requests. */
export interface AllowHostFlags {
  readonly allowHost: readonly string[];
}

/** The names of `--allow-host`; throws UsageError for one that is not a host name. */
export function readAllowedHosts({ allowHost }: AllowHostFlags): readonly string[] {
  if (allowHost.some((name) => name !== '*' && normalizeHost(name) === undefined))
    throw new UsageError(
      "--allow-host takes the name of a host, such as gateway.local or 192.0.2.7, or '*' for every host.",
    );
  return allowHost;
}
