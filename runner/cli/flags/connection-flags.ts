import { readFileSync } from 'node:fs';
import { getProxyForUrl } from 'proxy-from-env';
import { describeReadError } from '../../../common/data-file.ts';
import { isLoopback } from '../../../common/host.ts';
import { findRepeated } from '../../../common/lists.ts';
import { expandText } from '../../profile/expand.ts';
import { isCredentialHeader, isHeaderName, isHeaderValue } from '../../profile/header.ts';
import { UsageError } from '../../profile/profile.ts';
import type { ConnectionOptions } from '../../send/connection-options.ts';
import { log } from '../io/terminal.ts';

/**
 * Returns the connection options of the flags, with proxies from the environment. Logs a warning for `--insecure`.
 * Throws a `UsageError` if the file of `--ca` cannot be read or contains no PEM certificate.
 */
export function readConnectionOptions({
  ca,
  insecure,
}: {
  readonly ca?: string | undefined;
  readonly insecure: boolean;
}): ConnectionOptions {
  if (insecure) {
    log(
      'conformance: TLS certificates are not verified (--insecure). Anyone on the network path can read the keys.',
    );
  }
  return { ca: ca === undefined ? undefined : readCertificates(ca), insecure, proxy: proxyFor };
}

/**
 * Returns the URL of the proxy for a gateway. Returns undefined if no proxy is set, if `NO_PROXY` excludes the
 * gateway, or if the host of the gateway is a loopback name or address. Throws a `UsageError` if the environment
 * variable of the proxy does not contain a valid HTTP or HTTPS URL.
 */
function proxyFor(baseUrl: string): string | undefined {
  const { hostname, protocol } = new URL(baseUrl);
  const proxy = isLoopback(hostname) ? '' : getProxyForUrl(baseUrl);
  if (proxy === '') return undefined;
  const [name, stated] = findProxyVariable(protocol === 'https:' ? 'https_proxy' : 'http_proxy');
  if (!/^https?:\/\/[^/]/i.test(stated) || !URL.canParse(stated))
    throw new UsageError(
      `${name} does not contain a valid proxy URL. Expected a URL such as http://proxy.example:3128.`,
    );
  return proxy;
}

function findProxyVariable(own: string): readonly [string, string] {
  const names = [own, own.toUpperCase(), 'all_proxy', 'ALL_PROXY'];
  const name = names.find((one) => process.env[one]) ?? own;
  return [name, process.env[name] ?? ''];
}

function readCertificates(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--ca ${file}: ${describeReadError(error)}`);
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(
      `--ca ${file}: the file contains no PEM certificate. Choose a file that contains the line -----BEGIN CERTIFICATE-----.`,
    );
  return text;
}

export interface HeaderFlag {
  readonly name: string;
  /** The value from the command line, with variables. */
  readonly text: string;
  /** The value with the variables replaced. */
  readonly value: string;
}

/**
 * Reads the values of `--header 'NAME: VALUE'`. Throws a `UsageError` for an invalid or repeated header, for a header
 * that contains a credential, and for a variable that is unset or empty.
 */
export function readHeaderFlags(
  flags: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): HeaderFlag[] {
  const headers = flags.map((flag) => readHeader(flag, environment));
  const twice = findRepeated(headers.map(({ name }) => name.toLowerCase()));
  if (twice !== undefined)
    throw new UsageError(`--header ${twice} is set more than once. Keep only one of the flags.`);
  return headers;
}

export function resolveHeaderValues(headers: readonly HeaderFlag[]): Record<string, string> {
  return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
}

function readHeader(flag: string, environment: Readonly<Record<string, string | undefined>>): HeaderFlag {
  const colon = flag.indexOf(':');
  const name = (colon < 0 ? flag : flag.slice(0, colon)).trim();
  const text = colon < 0 ? '' : flag.slice(colon + 1).trim();
  // The message does not contain the value, which may be a key.
  if (isCredentialHeader(name)) {
    throw new UsageError(
      `--header must not contain a credential (${name}). Set GATEWAY_API_KEY, or use --key-file.`,
    );
  }
  if (!isHeaderName(name) || text === '')
    throw new UsageError(
      "Invalid value for --header. Expected NAME: VALUE, such as --header 'x-tenant: acme'.",
    );
  const expanded = expandText(text, environment);
  if ('unset' in expanded)
    throw new UsageError(
      `--header ${name} needs the environment variable ${expanded.unset}, which is unset or empty. Set the variable, or remove the flag.`,
    );
  if (!isHeaderValue(expanded.text)) {
    throw new UsageError(
      `--header ${name} contains a character that is not allowed in a header, such as a line break. Remove the character.`,
    );
  }
  return { name, text, value: expanded.text };
}
