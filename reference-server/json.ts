import { isObject } from '../contract/mapping.ts';

export { isObject } from '../contract/mapping.ts';

/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A JSON object whose members are not yet known. */
export type JsonObject = { readonly [member: string]: Json };

/** Every object inside a value, the value itself included, at any depth and without recursion. */
export function objectsIn(value: unknown): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  // A list and no recursion: a body of a megabyte of brackets must not exhaust the call stack.
  const pending: object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (isObject(next)) found.push(next);
    const members: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    for (const member of members) if (typeof member === 'object' && member !== null) pending.push(member);
  }
  return found;
}
