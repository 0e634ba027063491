/**
 * Measures several programs in turn, A B A B …, so that changes in the load of the machine affect all programs.
 * @template {string} Side
 * @template Result
 * @param {{ count: number, before?: number }} rounds the number of measured rounds, and of preceding unmeasured
 * rounds (default: 1). Use 0 if a round takes long
 * @param {Record<Side, () => Promise<Result>>} sides
 * @returns {Promise<Record<Side, Result>[]>}
 */
export async function runInTurn({ count, before = 1 }, sides) {
  /** @type {Record<Side, Result>[]} */
  const rounds = [];
  for (let round = -before; round < count; round += 1) {
    const results = /** @type {Record<Side, Result>} */ ({});
    for (const side of /** @type {Side[]} */ (Object.keys(sides))) results[side] = await sides[side]();
    if (round >= 0) rounds.push(results);
  }
  return rounds;
}

/**
 * Returns the median: the middle number, or the mean of the middle two; NaN for an empty list.
 * @param {readonly number[]} numbers
 */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
