/** Returns the value that was created for a key before, or creates it. */
export type Memo<Value> = (key: string, create: () => Value) => Value;

/** Maximum number of stored values. If it is exceeded, all are removed. */
const maxEntries = 4_000;
/** The value of a longer key is not stored. */
const maxKeyLength = 1_000;

/** Creates a cache of bounded size. A value must depend on its key only. */
export function createMemo<Value>(): Memo<Value> {
  const cache = new Map<string, Value>();
  return (key, create) => {
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const created = create();
    if (key.length > maxKeyLength) return created;
    if (cache.size >= maxEntries) cache.clear();
    cache.set(key, created);
    return created;
  };
}

/**
 * Creates a function that returns a number for each key, different from those of all other keys, so that several long keys
 * combine to a short one.
 */
export function createNumbering(): (key: string) => number {
  const memo = createMemo<number>();
  let last = 0;
  return (key) =>
    memo(key, () => {
      last += 1;
      return last;
    });
}
