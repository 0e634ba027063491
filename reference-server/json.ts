/** A value that JSON can carry. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [member: string]: Json };

/** A JSON object whose members are not yet known. */
export type JsonObject = { readonly [member: string]: Json };

/** True for what JSON calls an object: neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every object inside a value, the value itself included, at any depth and without recursion. */
export function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  // A stack and no recursion: a body of a megabyte of brackets must not exhaust the call stack.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) for (const item of next) pending.push(item);
    else if (isObject(next)) {
      yield next;
      for (const member of Object.values(next)) pending.push(member);
    }
  }
}
