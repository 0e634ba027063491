/** A number of things, in words: `1 case`, `2 cases`. */
export function pluralize(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}

/** Items that have the same key, in the order in which each key first came. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups];
}

/** Items as a person lists them: `a, b and c`; `last` stands before the last one. */
export function formatList(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
