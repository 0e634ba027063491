import type { GatewayPromise } from '../profile/promise.ts';
import { listCandidates, listCombinations, listGroups } from './expand-axes.ts';
import { hasChecks, type PlannedCase } from './plan.ts';

/**
 * Returns a text for each combination of attribute values in the case with this ID; an empty list if no scenario has
 * the case.
 */
export type CombinationsOf = (id: string) => readonly string[];

export function indexCombinations(promise: GatewayPromise): CombinationsOf {
  const index = new Map<string, readonly string[]>();
  for (const scenario of promise.scenarios) {
    if (scenario.pool) continue;
    const points = listCandidates(scenario, promise);
    for (const [{ id }, own] of listCombinations(points, listGroups(scenario)))
      index.set(
        id,
        own.map((one) => `${scenario.suite}/${scenario.id} ${one}`),
      );
  }
  // A case that is repeated for each model has the same combinations as the case with this ID without the model.
  return (id) => index.get(id) ?? index.get(id.slice(0, id.lastIndexOf('/'))) ?? [];
}

/**
 * The limit on the chosen cases. `costOf` returns the cost of a case, a number greater than 0. `fits` returns whether
 * the case is within the limit. `take` is called with each chosen case.
 */
export interface ChoiceLimit {
  readonly costOf: (item: PlannedCase) => number;
  readonly fits: (item: PlannedCase) => boolean;
  readonly take: (item: PlannedCase) => void;
}

/**
 * Chooses candidates until no other candidate fits, and returns the chosen cases. Each step chooses the case with the
 * highest ratio of gain to cost; of equal cases, the first. The gain is the weighted number of requirements and
 * combinations of values that neither the cases of `sent` nor the chosen cases cover. A `must` counts more than a
 * `should`, and a `should` counts more than combinations.
 */
export function chooseCovering(
  candidates: readonly PlannedCase[],
  sent: readonly PlannedCase[],
  combinationsOf: CombinationsOf,
  { costOf, fits, take }: ChoiceLimit,
): ReadonlySet<PlannedCase> {
  const covered = new Set<string>();
  const combinations = new Map<PlannedCase, readonly string[]>();
  const cover = (item: PlannedCase): void => {
    for (const { requirement } of item.checks) covered.add(requirement.id);
    if (hasChecks(item)) for (const one of combinationsOf(item.id)) covered.add(one);
  };
  const gainOf = (item: PlannedCase): number => {
    let gain = 0;
    for (const { requirement } of item.checks)
      if (!covered.has(requirement.id)) gain += requirement.level === 'must' ? 1e8 : 1e5;
    const own = combinations.get(item) ?? (hasChecks(item) ? combinationsOf(item.id) : []);
    combinations.set(item, own);
    for (const one of own) if (!covered.has(one)) gain += 1;
    return gain / costOf(item);
  };
  for (const item of sent) cover(item);
  const chosen = new Set<PlannedCase>();
  let waiting = candidates.map((item) => ({ item, gain: gainOf(item) }));
  for (;;) {
    waiting = waiting.filter(({ item }) => !chosen.has(item) && fits(item));
    let [best] = waiting;
    if (!best) return chosen;
    best.gain = gainOf(best.item);
    for (const one of waiting) {
      // The gain of a case never increases, so the last computed gain is an upper bound.
      if (one.gain <= best.gain) continue;
      one.gain = gainOf(one.item);
      if (one.gain > best.gain) best = one;
    }
    chosen.add(best.item);
    take(best.item);
    cover(best.item);
  }
}
