import type { GatewayPromise } from '../../profile/promise.ts';
import { type Plan, sortByPhase } from '../plan.ts';
import { type GeneratedCase, generateCases } from './generate.ts';

export interface FuzzOptions {
  readonly count: number;
  /** An integer from 0 to 2147483647. With the same plan and profile, the same seed generates the same requests. */
  readonly seed: number;
}

export interface Fuzz {
  readonly options: FuzzOptions;
  /** The whole plan, with the generated cases in the suite `fuzz`. */
  readonly plan: Plan;
  readonly generated: ReadonlyMap<string, GeneratedCase>;
}

/** Adds generated cases to a plan. The same options, plan and promise lead to the same cases. */
export function planFuzz(derived: Plan, options: FuzzOptions, promise: GatewayPromise): Fuzz {
  const generated = generateCases(derived, options, promise);
  return {
    options,
    plan: sortByPhase([...derived.cases, ...generated.map(({ planned }) => planned)]),
    generated: new Map(generated.map((item) => [item.planned.id, item])),
  };
}
