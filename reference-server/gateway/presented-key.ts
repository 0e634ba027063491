import type { Context } from './context.ts';
import type { KeyRole } from './seed.ts';

/** The role of the key in a request: `none` without a key, `unknown` for a key that the gateway does not know. */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** The role of the key that a request presents; `unknown` for one that the gateway has not. */
export function presentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}
