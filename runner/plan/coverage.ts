import type { Catalog } from '../catalog/catalog.ts';
import type { Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { explainNotApplicable } from './applicability.ts';
import { completeAttributes } from './complete-attributes.ts';
import { type CaseCandidate, listCandidates, listCombinations, listGroups } from './expand-axes.ts';
import { hasChecks, type PlannedCase } from './plan.ts';

/** Numbers of combinations of values, counted as in NISTIR 7878, *Combinatorial Coverage Measurement*. */
export interface CoverageCounts {
  /** All combinations that the points of the scenarios have. */
  readonly total: number;
  /** Combinations in at least one judged case. */
  readonly judged: number;
  /** Combinations that occur only in cases that are not applicable to the gateway. */
  readonly notApplicable: number;
}

/** How many of the combinations that the scenarios describe are covered by judged cases. */
export interface Coverage {
  /** The coverage of every pair of values of two axes of a scenario. */
  readonly pairs: CoverageCounts;
  /**
   * The coverage of the combinations of three values that scenarios name in `combine`, such as operation, header and key.
   */
  readonly combinations: CoverageCounts;
}

/** The coverage of one scenario, and the numbers of its points and cases. */
export interface ScenarioCoverage extends Coverage {
  readonly scenario: Scenario;
  /** The number of points: the cases that `--thorough` plans. */
  readonly points: number;
  /** The number of points that are planned cases. */
  readonly cases: number;
}

/** Whether a planned case was judged; undefined for a case that was not planned or has no checks. */
export type CaseState = 'judged' | 'not-judged' | 'not-applicable' | undefined;

/** Measures the coverage of each scenario with at least one planned case. `stateOf` returns the state of a case. */
export function measureScenarios(
  catalog: Catalog,
  profile: Profile,
  stateOf: (id: string) => CaseState,
): ScenarioCoverage[] {
  return catalog.scenarios.flatMap((scenario) => {
    const candidates = scenario.pool ? [] : listCandidates(scenario, catalog, profile);
    const points = candidates.map((candidate) => ({ candidate, state: stateOf(candidate.id) }));
    const cases = points.filter(({ state }) => state);
    if (cases.length === 0) return [];
    const groups = listGroups(scenario);
    const combinationsOf = listCombinations(candidates, groups);
    const canBeSent = ({ candidate: { given }, state }: Point): boolean =>
      state !== 'not-applicable' &&
      !explainNotApplicable(completeAttributes(given, catalog.operations, profile), profile);
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

/** A point of a scenario, and the state of its case. */
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
    // If a limit excludes the planned cases of a combination, no other point is sent instead.
    const own = combinationsOf(point).filter((one) => !judged.has(one) && (point.state || !planned.has(one)));
    if (own.length > 0 && canBeSent(point)) for (const one of own) possible.add(one);
  }
  return {
    total: all.size,
    judged: judged.size,
    notApplicable: all.size - judged.size - possible.size,
  };
}

/** Adds up the coverage of several scenarios. */
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

/** Returns the combinations of values in the case with this ID; an empty list for a case that no scenario has. */
export type CombinationsOf = (id: string) => readonly string[];

/** Creates a function that returns the combinations of values in a case of the suites. */
export function indexCombinations(catalog: Catalog, profile: Profile): CombinationsOf {
  const index = new Map<string, readonly string[]>();
  for (const scenario of catalog.scenarios) {
    if (scenario.pool) continue;
    const points = listCandidates(scenario, catalog, profile);
    for (const [{ id }, own] of listCombinations(points, listGroups(scenario)))
      index.set(
        id,
        own.map((one) => `${scenario.suite}/${scenario.id} ${one}`),
      );
  }
  // A case that is repeated for each model has the same combinations as the case without the model in its ID.
  return (id) => index.get(id) ?? index.get(id.slice(0, id.lastIndexOf('/'))) ?? [];
}

/**
 * The limit for choosing cases: the cost of a case, and whether the case still fits. `take` is called with each chosen case.
 */
export interface ChoiceLimit {
  readonly costOf: (item: PlannedCase) => number;
  readonly fits: (item: PlannedCase) => boolean;
  readonly take: (item: PlannedCase) => void;
}

/**
 * Chooses the `candidates` that cover the most requirements and combinations in addition to `sent`, until no candidate
 * fits. Each step adds the case with the highest gain in relation to its cost. The gain counts requirements that no earlier case judges, a `must` before a
 * `should`, and then combinations that no earlier case has. Among cases with equal gain, the first one is added.
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
      // The gain of a case never increases, so its last computed gain is an upper bound.
      if (one.gain <= best.gain) continue;
      one.gain = gainOf(one.item);
      if (one.gain > best.gain) best = one;
    }
    chosen.add(best.item);
    take(best.item);
    cover(best.item);
  }
}
