/** The limits of the cache of parsed pointers: the number of pointers, and the length of a pointer in characters. */
const [maxPointers, maxLength] = [1_000, 100];
const known = new Map<string, readonly string[]>();

/** Returns the value at a JSON pointer (RFC 6901); undefined if the pointer leads to no value. */
export function readMember(value: unknown, pointer: string): unknown {
  let current = value;
  for (const name of known.get(pointer) ?? remember(pointer)) {
    if (!hasMember(current, name)) return undefined;
    current = current[name];
  }
  return current;
}

/** Returns the unescaped names in a JSON pointer, from the root; an empty list for the pointer to the whole value. */
export function splitPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function remember(pointer: string): readonly string[] {
  const names = splitPointer(pointer);
  if (pointer.length > maxLength) return names;
  if (known.size >= maxPointers) known.clear();
  known.set(pointer, names);
  return names;
}

// Inherited properties and the length of a list are not members of the JSON value.
function hasMember(value: unknown, name: string): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return false;
  return name !== 'length' || !Array.isArray(value);
}

/** Returns the pointer to the value that contains the value at a pointer; undefined for the whole value. */
export function parentPointer(pointer: string): string | undefined {
  const end = pointer.lastIndexOf('/');
  return end < 0 ? undefined : pointer.slice(0, end);
}
