const [quote, backslash, openList, closeList, open, close] = [...'"\\[]{}'].map((sign) => sign.charCodeAt(0));

/** Whether lists and objects of a JSON text stand in one another more often than that; found without reading it as JSON. */
export function isDeeperThan(levels: number, text: string): boolean {
  // Each level has two ends.
  if (text.length <= 2 * levels) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (inText) {
      if (sign === backslash) at += 1;
      else if (sign === quote) inText = false;
    } else if (sign === quote) inText = true;
    else if (sign === openList || sign === open) {
      depth += 1;
      if (depth > levels) return true;
    } else if (sign === closeList || sign === close) depth -= 1;
  }
  return false;
}
