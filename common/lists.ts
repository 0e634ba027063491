/** Formats a number with a noun: `1 case`, `2 cases`. `one` is the singular. The plural adds `s`. */
export function pluralize(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/**
 * Returns each key with its items. The keys are in the order of their first items. The items of a key keep the given
 * order.
 */
export function groupBy<T, K extends string>(items: readonly T[], keyOf: (item: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/**
 * Formats a list for a sentence: `a, b and c`. `last` is the word before the last item. Returns an empty text for an
 * empty list.
 */
export function formatList(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}

/** Formats the first items and the number of the others: `a, b and 3 more`. */
export function formatFirst(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Returns the first item that is equal to an earlier item; undefined if all items differ. */
export function findRepeated(items: readonly string[]): string | undefined {
  return items.find((item, index) => items.indexOf(item) !== index);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
