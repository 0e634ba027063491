/** A number of things, in words: `1 case`, `2 cases`. */
export function counted(number: number, one: string): string {
  return `${number} ${one}${number === 1 ? '' : 's'}`;
}
