/** The headers that carry a key. */
const credentialHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** Whether a header carries a key, which a profile states under `keys`. */
export function isCredentialHeader(name: string): boolean {
  return credentialHeaders.includes(name.toLowerCase());
}

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Whether a text can be the value of a header: Latin-1 without control characters but for tabs. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** Headers with others over them, which replace those of the same name in any case. */
export function mergeHeaders<T>(
  headers: Readonly<Record<string, T>>,
  over: Readonly<Record<string, T>>,
): Record<string, T> {
  const replaced = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...over };
}
