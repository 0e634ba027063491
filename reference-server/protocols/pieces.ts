/** A text in the pieces in which a stream delivers it: word by word, together exactly the text, and at least one. */
export function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [''];
}
