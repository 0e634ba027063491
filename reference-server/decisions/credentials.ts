import type { Context, PresentedCredential } from '../gateway/context.ts';
import type { HeaderName } from '../gateway/operations.ts';
import type { Account, ApiKey } from '../gateway/state.ts';

/**
 * Returns the headers that section 4 accepts for this operation; an empty list if no operation matches. Only family C
 * accepts `x-goog-api-key` (5).
 */
export function listAcceptedHeaders(ctx: Context): readonly HeaderName[] {
  return ctx.operation?.headers ?? [];
}

/**
 * Returns the first credential in the accepted headers, in the order of section 5. `header` is `none` if no accepted
 * header contains a credential. `Authorization` with a scheme other than `Bearer` contains no credential.
 */
export function credentialOf(accepted: readonly HeaderName[], ctx: Context): PresentedCredential {
  const { headers } = ctx.request;
  // The scheme is case-insensitive (RFC 9110, 11.1). The rest is the key and must match exactly.
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization ?? '');
  if (bearer && accepted.includes('bearer')) return { header: 'bearer', value: bearer[1] ?? '' };
  for (const header of ['x-api-key', 'x-goog-api-key'] as const) {
    const value = headers[header];
    if (value !== undefined && accepted.includes(header)) return { header, value };
  }
  return { header: 'none', value: '' };
}

/**
 * Finds the key whose value equals the credential exactly, even if the key is deleted; undefined if no key has this
 * value.
 */
export function findKey(credential: PresentedCredential, ctx: Context): ApiKey | undefined {
  return ctx.state.keys.find((key) => key.value === credential.value);
}

/** Whether a known key is valid. A deleted key is not valid (2.1). */
export function isKeyValid(key: ApiKey, _ctx: Context): boolean {
  return !key.deleted;
}

/**
 * Whether the account of the key can pay for a model call: the balance of the account must be above zero. Returns
 * false if the account is undefined.
 */
export function canPay(account: Account | undefined, _ctx: Context): boolean {
  return account !== undefined && account.balance > 0;
}
