import { expandText } from '../profile/expand.ts';
import { isCredentialHeader, isHeaderName, isHeaderValue } from '../profile/header.ts';
import { UsageError } from '../profile/profile.ts';

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
