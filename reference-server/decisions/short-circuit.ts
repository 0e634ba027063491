import type { Context } from '../gateway/context.ts';
import type { Response } from '../wire/answer.ts';

/** An answer that a request gets whatever its checks would say, and what was found out for it. */
export type Instead = { readonly response: Response; readonly ctx: Context };

/** What answers a request in place of its checks and its operation: nothing. */
export function instead(_ctx: Context): Instead | undefined | Promise<Instead | undefined> {
  return undefined;
}
