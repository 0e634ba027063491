/** Splits a text into the words of a stream. Joined, they are the text; an empty text is one empty word. */
export function splitText(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [''];
}
