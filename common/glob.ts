export type TextTest = (text: string) => boolean;

/**
 * Compiles a pattern for IDs. `*` matches any text, and the pattern must match the whole ID. A pattern without `*` also
 * matches every ID that begins with the pattern and a slash.
 */
export function compileGlob(pattern: string): TextTest {
  return pattern.includes('*')
    ? compileNamePattern(pattern)
    : (text) => text === pattern || text.startsWith(`${pattern}/`);
}

/**
 * Compiles a pattern for names. `*` matches any text, including line breaks, and `\*` an asterisk. The pattern must
 * match the whole name.
 */
export function compileNamePattern(pattern: string): TextTest {
  const [first = '', ...others] = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll('\\*', '*'));
  const last = others.pop();
  if (last === undefined) return (text) => text === first;
  const middle = others.filter((part) => part !== '');
  return (text) => {
    const end = text.length - last.length;
    if (end < first.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    // The first match of each part leaves the longest rest for the next parts, so backtracking is not needed.
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
