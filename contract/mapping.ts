/** Returns the value if it is a JSON object; otherwise an empty object. */
export function toMapping(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Whether a value is a JSON object: an object, but neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value if it is an array; otherwise an empty array. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
