/** JSON whose texts are all well-formed, as readers in other languages demand. */
export function writeJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2);
  return `${mayBeIllFormed.test(text) ? JSON.stringify(value, wellFormed, 2) : text}\n`;
}

/** How a lone surrogate is written, which few texts have. */
const mayBeIllFormed = /\\ud[89a-f]/;

function wellFormed(_name: string, item: unknown): unknown {
  return typeof item === 'string' ? item.toWellFormed() : item;
}
