import { randomInt } from 'node:crypto';

/** The greatest seed; the least is 0. */
export const greatestSeed = 2 ** 31 - 1;

/** The most requests that a run generates: all are planned, and kept in memory, before the first is sent. */
export const mostGenerated = 100_000;

/** A random seed. */
export function randomSeed(): number {
  return randomInt(greatestSeed);
}
