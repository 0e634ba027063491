/** Items as a person lists them: `a, b and c`; `last` stands before the last one. */
export function wordList(items: readonly string[], last = 'and'): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`;
}
