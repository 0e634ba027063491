import { inPhases, type Plan } from '../plan/plan.ts';
import { drawCases } from './draw.ts';
import type { DrawContext } from './drawers.ts';
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

/** Draws the cases of a plan, each like one of those that it has. */
export type DrawFuzz = (plan: Plan, context: DrawContext) => Fuzz;

/** Draws cases after those of the plan; the same options and profile give the same. */
export function makeFuzz(plan: Plan, options: FuzzOptions, context: DrawContext): Fuzz {
  const drawn = drawCases(plan, options, context);
  const byId = new Map(drawn.map((item) => [item.planned.id, item]));
  return {
    options,
    plan: inPhases([...plan.cases, ...drawn.map(({ planned }) => planned)]),
    makeShrink: () => makeShrink(byId),
  };
}
