import type { Catalog } from '../catalog/catalog.ts';
import { inPhases, type Plan, plan } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import { drawCases } from './generate.ts';
import { makeShrink, type Shrink } from './shrink.ts';

/** How many requests are drawn at random, and from what. */
export interface FuzzOptions {
  readonly count: number;
  /** A whole number from 0 to 2147483647; the same one draws the same requests again. */
  readonly seed: number;
}

/** The drawn part of a plan. */
export interface Fuzz {
  readonly options: FuzzOptions;
  /** With the cases that were drawn, in the suite `fuzz`. */
  readonly plan: Plan;
  /** Makes what looks for smaller forms in one run. */
  readonly makeShrink: () => Shrink;
}

/** Plans a run with cases that are drawn at random, each like one of the suites. */
export type DrawFuzz = (catalog: Catalog, profile: Profile) => Fuzz;

/** Plans, and draws cases behind those of the suites; the same options and profile give the same. */
export function makeFuzz(catalog: Catalog, profile: Profile, options: FuzzOptions): Fuzz {
  const derived = plan(catalog, profile);
  const drawn = drawCases(derived, options, { catalog, profile });
  const byId = new Map(drawn.map((item) => [item.planned.id, item]));
  return {
    options,
    plan: inPhases([...derived.cases, ...drawn.map(({ planned }) => planned)]),
    makeShrink: () => makeShrink(byId),
  };
}
