import type { Context } from './context.ts';
import type { KeyRole } from './seed.ts';

/** Which key a request presents, as far as it may be told: never the key itself. */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** The role of the key that a request presents; `unknown` for one that the gateway has not. */
export function presentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}
