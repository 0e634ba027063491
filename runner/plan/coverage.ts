import type { Catalog } from '../catalog/catalog.ts';
import type { Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { explainNotApplicable } from './applicability.ts';
import { listCandidates, listCombinations, listGroups } from './expand-axes.ts';
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
    const points = scenario.pool ? [] : listCandidates(scenario, catalog, profile);
    if (!points.some(({ id }) => stateOf(id) !== undefined)) return [];
    const groups = listGroups(scenario);
    const combinations = listCombinations(points, groups);
    const states = new Map(points.map((point) => [point, stateOf(point.id)]));
    const planned = new Set(
      points.flatMap((point) => (states.get(point) ? (combinations.get(point) ?? []) : [])),
    );
    const counts = { pairs: createCounts(), combinations: createCounts() };
    for (const point of points) {
      const state = states.get(point);
      const isApplicable =
        state === 'judged' ||
        (state !== 'not-applicable' && !explainNotApplicable(point.attributes, profile));
      for (const [index, one] of (combinations.get(point) ?? []).entries()) {
        const { all, judged, possible } = groups[index]?.length === 2 ? counts.pairs : counts.combinations;
        all.add(one);
        if (state === 'judged') judged.add(one);
        // If a limit excludes the planned cases of a combination, no other point is sent instead.
        if (isApplicable && (state || !planned.has(one))) possible.add(one);
      }
    }
    return [
      {
        scenario,
        points: points.length,
        cases: points.filter((point) => states.get(point)).length,
        pairs: sumUp(counts.pairs),
        combinations: sumUp(counts.combinations),
      },
    ];
  });
}

/** All combinations of a scenario, those of judged cases, and those of cases that can be sent to the gateway. */
interface FoundCombinations {
  readonly all: Set<number>;
  readonly judged: Set<number>;
  readonly possible: Set<number>;
}

function createCounts(): FoundCombinations {
  return { all: new Set(), judged: new Set(), possible: new Set() };
}

function sumUp({ all, judged, possible }: FoundCombinations): CoverageCounts {
  const isNotApplicable = (one: number): boolean => !judged.has(one) && !possible.has(one);
  return { total: all.size, judged: judged.size, notApplicable: [...all].filter(isNotApplicable).length };
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
