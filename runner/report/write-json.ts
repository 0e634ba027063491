/** JSON whose texts are all well-formed, as readers in other languages demand. */
export function writeJson(value: unknown): string {
  return `${JSON.stringify(value, (_, item: unknown) => (typeof item === 'string' ? item.toWellFormed() : item), 2)}\n`;
}
