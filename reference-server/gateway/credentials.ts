import type { Decisions } from './decisions.ts';

/** Decisions about credentials (5). */
export const credentials = {
  /** Returns the headers that section 4 accepts for this operation. Only family C accepts `x-goog-api-key` (5). */
  listAcceptedHeaders: (ctx) => ctx.operation?.headers ?? [],

  /**
   * Returns the first credential in the accepted headers, in the order of section 5. `Authorization` with a scheme
   * other than `Bearer` contains no credential. The specification doesn't define what a gateway does with several.
   */
  credentialOf(accepted, ctx) {
    const { headers } = ctx.request;
    // The scheme is case-insensitive (RFC 9110, 11.1). The rest is the key and must match exactly.
    const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization ?? '');
    if (bearer && accepted.includes('bearer')) return { header: 'bearer', value: bearer[1] ?? '' };
    for (const header of ['x-api-key', 'x-goog-api-key'] as const) {
      const value = headers[header];
      if (value !== undefined && accepted.includes(header)) return { header, value };
    }
    return { header: 'none', value: '' };
  },

  /** Finds the key whose value equals the credential exactly, even if the key is deleted. */
  findKey: (credential, ctx) => ctx.state.keys.find((key) => key.value === credential.value),

  /** Whether a known key is valid. A deleted key is not (2.1). */
  isKeyValid: (key) => !key.deleted,
} satisfies Partial<Decisions>;
