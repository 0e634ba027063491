import type { Catalog } from '../catalog/catalog.ts';
import { type Plan, plan, sortByPhase } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { generateCases } from './generate.ts';
import { createShrink, type Shrink } from './shrink.ts';

/** The number of generated requests, and the seed. */
export interface FuzzOptions {
  readonly count: number;
  /** A whole number from 0 to 2147483647; the same seed generates the same requests. */
  readonly seed: number;
}

/** The generated part of a plan. */
export interface Fuzz {
  readonly options: FuzzOptions;
  /** The whole plan, with the generated cases in the suite `fuzz`. */
  readonly plan: Plan;
  readonly createShrink: () => Shrink;
}

/** Plans a run, and generates cases after those of the suites; the same options and profile give the same cases. */
export function planFuzz(catalog: Catalog, profile: Profile, options: FuzzOptions): Fuzz {
  const derived = plan(catalog, profile);
  const drawn = generateCases(derived, options, { catalog, profile });
  const byId = new Map(drawn.map((item) => [item.planned.id, item]));
  return {
    options,
    plan: sortByPhase([...derived.cases, ...drawn.map(({ planned }) => planned)]),
    createShrink: () => createShrink(byId),
  };
}
