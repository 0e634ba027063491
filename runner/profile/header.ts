import { readDuration } from '../../common/duration.ts';

const credentialHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/**
 * Whether a header with this name contains a key. Ignores upper and lower case. A profile must state these keys under
 * `keys`, not under `headers`.
 */
export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.includes(name.toLowerCase());
}

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/**
 * Whether a text can be the value of a header: only tabs, printable ASCII characters, and characters from U+0080 to
 * U+00FF.
 */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Returns all headers. The headers of `over` replace headers with the same name, ignoring case. */
export function mergeHeaders<T>(
  headers: Readonly<Record<string, T>>,
  over: Readonly<Record<string, T>>,
): Record<string, T> {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...over };
}

/** The maximum time of a timer in Node.js, in milliseconds: almost 25 days. */
export const longestDuration = 2 ** 31 - 1;

/** Returns the milliseconds of a duration such as `1.5m`; undefined if the duration is invalid or too long. */
export function parseDuration(text: string): number | undefined {
  const milliseconds = readDuration(text);
  return milliseconds !== undefined && milliseconds <= longestDuration ? milliseconds : undefined;
}
