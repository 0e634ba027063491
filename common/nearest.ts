/** The maximum length of a compared name, in characters. The time of a comparison is quadratic in the length. */
const longestName = 200;

/** The minimum length of a name that counts as the beginning of a known name, in characters. */
const shortestBeginning = 4;

/** Returns the shortest known name that begins with a text, ignoring case. */
function findBegun(text: string, known: readonly string[]): string | undefined {
  return known
    .filter((name) => name.toLowerCase().startsWith(text.toLowerCase()))
    .sort((a, b) => a.length - b.length)[0];
}

/**
 * Returns the shortest known name that begins with a mistyped name or, if there is none, the known name with the smallest
 * edit distance, ignoring case. Returns undefined if no name is known, or if the distance is greater than 2 and greater
 * than a third of the length of the mistyped name, rounded up. An empty name, and a name of more than 200 characters, is similar to no name.
 */
export function findNearestName(name: string, known: Iterable<string>): string | undefined {
  if (name === '' || name.length > longestName) return undefined;
  let best: { name: string; distance: number } | undefined;
  const candidates = [...known];
  const begun = name.length >= shortestBeginning ? findBegun(name, candidates) : undefined;
  if (begun !== undefined) return begun;
  for (const candidate of candidates) {
    if (candidate.length > longestName) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (!best || distance < best.distance) best = { name: candidate, distance };
  }
  const limit = Math.max(2, Math.ceil(name.length / 3));
  return best && best.distance <= limit ? best.name : undefined;
}

/**
 * Returns the sentence ` Did you mean "…"?` to append to an error about an unknown name; an empty string if no known
 * name is similar.
 */
export function formatSuggestion(name: string, known: Iterable<string>): string {
  const found = findNearestName(name, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}

/** Returns the sentence of `formatSuggestion` or, if no known name is similar, one with all of them. */
export function formatSuggestionOrList(name: string, known: readonly string[]): string {
  return formatSuggestion(name, known) || ` Expected one of: ${known.join(', ')}.`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
