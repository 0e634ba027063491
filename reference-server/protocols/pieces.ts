/** A text in the pieces in which a stream delivers it: word by word, and together exactly the text. */
export function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
