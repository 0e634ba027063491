/** Returns whether a whole text matches, in time proportional to the lengths of the pattern and the text. */
export type TextTest = (text: string) => boolean;

/** Compiles a pattern in which `*` matches any text. A pattern without `*` also matches every path below it. */
export function compileGlob(pattern: string): TextTest {
  return pattern.includes('*')
    ? compileNamePattern(pattern)
    : (text) => text === pattern || text.startsWith(`${pattern}/`);
}

/** Compiles a pattern for whole names, in which `*` matches any text, including line breaks. */
export function compileNamePattern(pattern: string): TextTest {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = others.filter((part) => part !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The first match of each part leaves the most text for the next part, so no backtracking is needed.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
