/** Splits a text into the words of a stream, each with the spaces after it. An empty text gives one empty word. */
export function splitText(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [''];
}
