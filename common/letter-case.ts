/** Returns a text whose first letter is a capital. */
export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns a text whose first letter is small, unless the text begins with a name in capitals, such as `HTTP_PROXY`. */
export function lowerFirst(text: string): string {
  return text.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
