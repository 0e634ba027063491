import type { DrawFuzz, FuzzOptions } from './fuzz.ts';

/** The greatest seed; the least is 0. */
export const greatestSeed = 2 ** 31 - 1;

/** The most requests that a run draws: all are planned, and held, before the first is sent. */
export const mostDrawn = 100_000;

/** A random seed, for runs without `--seed`. */
export function anySeed(): number {
  return Math.floor(Math.random() * greatestSeed);
}

/** Loads what draws requests at random, which no other run needs. */
export async function loadFuzz(options: FuzzOptions): Promise<DrawFuzz> {
  const { makeFuzz } = await import('./fuzz.ts');
  return (catalog, profile) => makeFuzz(catalog, profile, options);
}
