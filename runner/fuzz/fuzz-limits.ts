/** The maximum seed; the minimum is 0. */
export const maxSeed = 2 ** 31 - 1;

/** The maximum number of generated requests of a run. All are kept in memory before the first is sent. */
export const maxGenerated = 100_000;

/** A random seed, for runs without `--seed`. */
export function randomSeed(): number {
  return Math.floor(Math.random() * maxSeed);
}
