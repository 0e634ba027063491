/**
 * Measures several things in turn, A B A B …, so that each round meets the same load of the machine.
 * @template {string} Side
 * @template Took
 * @param {{ count: number, before?: number }} rounds how many are counted, and how many before them are not: one, or none
 * where a round takes long
 * @param {Record<Side, () => Promise<Took>>} sides
 * @returns {Promise<Record<Side, Took>[]>}
 */
export async function inTurn({ count, before = 1 }, sides) {
  /** @type {Record<Side, Took>[]} */
  const rounds = [];
  for (let round = -before; round < count; round += 1) {
    const took = /** @type {Record<Side, Took>} */ ({});
    for (const side of /** @type {Side[]} */ (Object.keys(sides))) took[side] = await sides[side]();
    if (round >= 0) rounds.push(took);
  }
  return rounds;
}

/** The middle of some numbers, the mean of the middle two where they are even. @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
