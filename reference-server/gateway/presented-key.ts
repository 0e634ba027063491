import type { KeyRole } from '../../contract/profile-values.ts';
import type { Context } from './context.ts';

/**
 * The role of the key in a request: `none` if the request has no key, `unknown` if the gateway does not know the key.
 */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** Returns the role of the key in a request. */
export function presentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}
