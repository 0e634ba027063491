import pLimit from 'p-limit';

/** Does something for each item, with at most `most` under way at once. */
export async function concurrently<T>(
  most: number,
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  const limit = pLimit(most);
  await Promise.all(items.map((item) => limit(() => act(item))));
}
