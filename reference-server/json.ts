import { isObject } from '../common/mapping.ts';

export { isObject } from '../common/mapping.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

export type JsonObject = { readonly [member: string]: Json };

/** Whether a value that was parsed from JSON is an object. */
export const isJsonObject = (parsed: unknown): parsed is JsonObject => isObject(parsed);

/**
 * Returns all objects inside a value at any depth, and the value itself if the value is an object. Arrays are searched,
 * but not returned.
 */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  // The loop uses no recursion, so that a megabyte of brackets does not exhaust the call stack.
  const pending: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isObject(next)) found.push(next);
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    for (const member of members) if (typeof member === 'object' && member !== null) pending.push(member);
  }
  return found;
}
