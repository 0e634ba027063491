/** Returns whether the whole text matches a pattern. */
export type TextTest = (text: string) => boolean;

/**
 * Compiles a pattern in which `*` matches any text. A pattern without `*` also matches every text that continues it with
 * `/`.
 */
export function compileGlob(pattern: string): TextTest {
  return pattern.includes('*')
    ? compileNamePattern(pattern)
    : (text) => text === pattern || text.startsWith(`${pattern}/`);
}

/** Compiles a pattern that matches only whole names. `*` matches any text, including line breaks. */
export function compileNamePattern(pattern: string): TextTest {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = others.filter((part) => part !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The first match of each part leaves the most text for the parts after it, so no backtracking is needed.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
