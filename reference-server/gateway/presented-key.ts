import type { KeyRole } from '../../common/profile-values.ts';
import type { Context } from './context.ts';

/**
 * The role of the key in a request. `none`: no accepted header contains a credential, or the gateway responded before
 * reading the credential. `unknown`: the credential is not the value of a stored key.
 */
export type PresentedKey = KeyRole | 'unknown' | 'none';

/** Returns the role of the key in a request. */
export function classifyPresentedKey({ key, credential }: Pick<Context, 'key' | 'credential'>): PresentedKey {
  return key?.role ?? (credential.header === 'none' ? 'none' : 'unknown');
}
