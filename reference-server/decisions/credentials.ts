import type { Context, Credential } from '../gateway/context.ts';
import type { HeaderName } from '../gateway/operations.ts';
import type { ApiKey } from '../gateway/state.ts';

/** The headers that section 4 accepts on this operation; section 5: `x-goog-api-key` in family C only. */
export function acceptedHeaders(ctx: Context): readonly HeaderName[] {
  return ctx.operation?.headers ?? [];
}

/** The first credential among the accepted headers, in the order of section 5; a header of another form is no credential. */
export function credentialOf(accepted: readonly HeaderName[], ctx: Context): Credential {
  const { headers } = ctx.request;
  // The scheme's case is free (RFC 9110, 11.1); what follows is the key, to the letter.
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization ?? '');
  if (bearer && accepted.includes('bearer')) return { header: 'bearer', value: bearer[1] ?? '' };
  for (const header of ['x-api-key', 'x-goog-api-key'] as const) {
    const value = headers[header];
    if (value !== undefined && accepted.includes(header)) return { header, value };
  }
  return { header: 'none', value: '' };
}

/** The key that is exactly the credential's value, deleted ones included. */
export function findKey(credential: Credential, ctx: Context): ApiKey | undefined {
  return ctx.state.keys.find((key) => key.value === credential.value);
}

/** Whether a known key still authenticates: 2.1, a deleted key fails. */
export function keyWorks(key: ApiKey, _ctx: Context): boolean {
  return !key.deleted;
}
