/** Splits a text into words, each with the whitespace after the word. Returns one empty word for an empty text. */
export function splitText(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [''];
}
