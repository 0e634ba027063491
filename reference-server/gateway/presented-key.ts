import type { KeyRole } from '../../contract/profile-values.ts';
import type { Context } from './context.ts';

/** The role of the key in a request: `none` without a key, `unknown` for a key that the gateway does not know. */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** Returns the role of the key in a request. */
export function presentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}
