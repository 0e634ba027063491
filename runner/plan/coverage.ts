import type { Scenario } from '../catalog/scenarios.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { explainNotApplicable } from './applicability.ts';
import { completeAttributes } from './complete-attributes.ts';
import { type CaseCandidate, listCandidates, listCombinations, listGroups } from './expand-axes.ts';
import { hasChecks, type PlannedCase } from './plan.ts';

/** Numbers of combinations of attribute values, counted as in NISTIR 7878, *Combinatorial Coverage Measurement*. */
export interface CoverageCounts {
  /** The number of combinations that occur in at least one point of the scenarios. */
  readonly total: number;
  /** The number of combinations that occur in at least one judged case. */
  readonly judged: number;
  /**
   * The number of combinations that cannot be judged, because the cases in which the combinations occur are not
   * applicable, for example because of the profile or a limit.
   */
  readonly notApplicable: number;
}

/** The coverage of one or several scenarios: the combinations of attribute values that occur in judged cases. */
export interface Coverage {
  /** The coverage of the pairs of values of any two axes of a scenario. */
  readonly pairs: CoverageCounts;
  /** The coverage of the combinations of the axes that `combine` lists, such as operation, header and key. */
  readonly combinations: CoverageCounts;
}

export interface ScenarioCoverage extends Coverage {
  readonly scenario: Scenario;
  /** The number of points: combinations of values for which `--thorough` plans a case. */
  readonly points: number;
  /** The number of points whose cases are planned and have checks. */
  readonly cases: number;
}

/** The state of a case; undefined if the case is not planned or has no checks. */
export type CaseState = 'judged' | 'not-judged' | 'not-applicable' | undefined;

/**
 * Returns the coverage of each scenario with at least one planned case that has checks, except pooled scenarios.
 * `stateOf` returns the state of a case.
 */
export function measureScenarios(
  promise: GatewayPromise,
  stateOf: (id: string) => CaseState,
): ScenarioCoverage[] {
  return promise.scenarios.flatMap((scenario) => {
    const candidates = scenario.pool ? [] : listCandidates(scenario, promise);
    const points = candidates.map((candidate) => ({ candidate, state: stateOf(candidate.id) }));
    const cases = points.filter(({ state }) => state);
    if (cases.length === 0) return [];
    const groups = listGroups(scenario);
    const combinationsOf = listCombinations(candidates, groups);
    const canBeSent = ({ candidate: { given }, state }: Point): boolean =>
      state !== 'not-applicable' &&
      !explainNotApplicable(completeAttributes(given, promise), promise.profile);
    const count = (isCounted: (group: readonly number[]) => boolean): CoverageCounts =>
      countCombinations(
        points,
        ({ candidate }) =>
          (combinationsOf.get(candidate) ?? []).filter((_, index) => isCounted(groups[index] ?? [])),
        canBeSent,
      );
    return [
      {
        scenario,
        points: points.length,
        cases: cases.length,
        pairs: count(({ length }) => length === 2),
        combinations: count(({ length }) => length !== 2),
      },
    ];
  });
}

interface Point {
  readonly candidate: CaseCandidate;
  readonly state: CaseState;
}

function countCombinations(
  points: readonly Point[],
  combinationsOf: (point: Point) => readonly number[],
  canBeSent: (point: Point) => boolean,
): CoverageCounts {
  const all = new Set(points.flatMap(combinationsOf));
  const judged = new Set(points.filter(({ state }) => state === 'judged').flatMap(combinationsOf));
  const open = judged.size === all.size ? [] : points.filter(({ state }) => state !== 'judged');
  const planned = new Set(open.filter(({ state }) => state).flatMap(combinationsOf));
  const possible = new Set<number>();
  for (const point of open) {
    // If a limit excludes the planned cases of a combination, the run sends no other point with this combination.
    const own = combinationsOf(point).filter((one) => !judged.has(one) && (point.state || !planned.has(one)));
    if (own.length > 0 && canBeSent(point)) for (const one of own) possible.add(one);
  }
  return {
    total: all.size,
    judged: judged.size,
    notApplicable: all.size - judged.size - possible.size,
  };
}

export function addCoverage(all: readonly Coverage[]): Coverage {
  const sum = (of: keyof Coverage, what: keyof CoverageCounts): number =>
    all.reduce((total, item) => total + item[of][what], 0);
  const counts = (of: keyof Coverage): CoverageCounts => ({
    total: sum(of, 'total'),
    judged: sum(of, 'judged'),
    notApplicable: sum(of, 'notApplicable'),
  });
  return { pairs: counts('pairs'), combinations: counts('combinations') };
}

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
