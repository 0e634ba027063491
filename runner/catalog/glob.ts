/** Tests whether a whole text matches; takes time in proportion to the lengths of pattern and text. */
export type TextTest = (text: string) => boolean;

/** A test for a pattern in which `*` stands for any text; a pattern without `*` also matches every path below it. */
export function compileGlob(pattern: string): TextTest {
  return pattern.includes('*')
    ? compileNamePattern(pattern)
    : (text) => text === pattern || text.startsWith(`${pattern}/`);
}

/** A test for whole names, in which `*` stands for any text, line breaks included. */
export function compileNamePattern(pattern: string): TextTest {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return (text) => text === pattern;
  const middle = others.filter((part) => part !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The leftmost place of each part leaves the most room for the next, so that no place is tried twice.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
