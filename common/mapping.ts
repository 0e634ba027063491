/** Returns a value that is a JSON object; an empty object for any other value. */
export function toMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Whether a value is a JSON object: an object, but neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value that is an array; an empty array for any other value. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Whether `test` returns true for a JSON value or for any nested value, at any depth. */
export function hasValueInside(value: unknown, test: (item: unknown) => boolean): boolean {
  // Recursion would overflow the stack, and so would a call of `push` with all items as arguments.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const item = open.pop();
    if (test(item)) return true;
    if (typeof item !== 'object' || item === null) continue;
    const members: readonly unknown[] = Array.isArray(item) ? item : Object.values(item);
    for (const member of members) open.push(member);
  }
  return false;
}
