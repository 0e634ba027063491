/** The greatest seed; the least is 0. */
export const greatestSeed = 2 ** 31 - 1;

/** The most requests that a run generates: all are planned, and kept in memory, before the first is sent. */
export const mostGenerated = 100_000;

/** A random seed, for runs without `--seed`. */
export function randomSeed(): number {
  return Math.floor(Math.random() * greatestSeed);
}
