/** The value at a JSON pointer; undefined where nothing stands there. */
export function readMember(value: unknown, pointer: string): unknown {
  let current = value;
  for (let start = pointer.indexOf('/') + 1; start > 0; ) {
    const end = pointer.indexOf('/', start);
    const part = pointer.slice(start, end < 0 ? undefined : end);
    const name = part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
    if (!hasMember(current, name)) return undefined;
    current = current[name];
    start = end + 1;
  }
  return current;
}

/** Its own members alone: what every object has is in no JSON. */
function hasMember(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** The pointer one level up; undefined for the root. */
export function parentPointer(pointer: string): string | undefined {
  const end = pointer.lastIndexOf('/');
  return end < 0 ? undefined : pointer.slice(0, end);
}
