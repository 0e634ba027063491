import type { Context } from '../gateway/context.ts';
import type { OperationResult } from '../gateway/operation-result.ts';

/** A response that replaces the checks and the operation, and the context of the request. */
export type ShortCircuit = { readonly result: OperationResult; readonly ctx: Context };

/** Returns a response that replaces the checks and the operation; undefined in the conforming gateway. */
export function shortCircuit(_ctx: Context): ShortCircuit | undefined | Promise<ShortCircuit | undefined> {
  return undefined;
}
