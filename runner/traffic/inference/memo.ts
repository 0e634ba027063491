/** Returns the cached value of a key. If the cache has no value, returns the result of `create`. */
export type Memo<Value> = (key: string, create: () => Value) => Value;

/**
 * The maximum number of cached values. If the cache is full, all values are removed before the next value is added.
 */
const maxEntries = 4_000;
/** The maximum length of a key, in characters. The value of a longer key is not cached. */
const maxKeyLength = 1_000;

/** Creates a cache of bounded size. A value can be removed, so `create` may be called again for the same key. */
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
 * Creates a function that returns a number for a key. Different keys get different numbers, so that the numbers of
 * several long keys can be combined into one short key. A key that is not in the cache, for example because the key
 * is too long, gets a new number.
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
