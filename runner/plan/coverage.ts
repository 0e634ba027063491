import type { Catalog } from '../catalog/catalog.ts';
import type { Scenario } from '../catalog/scenarios.ts';
import type { Profile } from '../profile/profile.ts';
import { explainNotApplicable } from './applicability.ts';
import { listCombinations, listGroups } from './expand-axes.ts';
import { listCandidates } from './plan.ts';

/** The combinations of values that requests can have, as in NISTIR 7878, *Combinatorial Coverage Measurement*. */
export interface CoverageCounts {
  readonly total: number;
  /** Those in at least one case that was judged. */
  readonly judged: number;
  /** Those that need something that the profile does not state, or that the gateway does not offer. */
  readonly notApplicable: number;
}

/** How much of what the scenarios describe was judged. */
export interface Coverage {
  /** Every pair of values of two axes of a scenario. */
  readonly pairs: CoverageCounts;
  /** The combinations of three values that scenarios name, such as operation, header and key. */
  readonly combinations: CoverageCounts;
}

/** The coverage of one scenario, and the number of all its points. */
export interface ScenarioCoverage extends Coverage {
  readonly scenario: Scenario;
  readonly points: number;
  /** Those that are cases. */
  readonly cases: number;
}

/** Whether a planned case was judged; undefined for a case that was not planned, or that only observes. */
export type CaseState = 'judged' | 'not-judged' | 'not-applicable' | undefined;

/** Measures the coverage of each scenario of which a case has a state. */
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
    const judged = new Set<number>();
    const possible = new Set<number>();
    for (const point of points) {
      const state = stateOf(point.id);
      const own = combinations.get(point) ?? [];
      for (const one of own) if (state === 'judged') judged.add(one);
      const isApplicable = state !== 'not-applicable' && !explainNotApplicable(point.attributes, profile);
      for (const one of own) if (isApplicable) possible.add(one);
    }
    const count = (chosen: (size: number) => boolean): CoverageCounts => {
      const all = new Set(
        [...combinations.values()].flatMap((own) =>
          own.filter((_, index) => chosen(groups[index]?.length ?? 0)),
        ),
      );
      return {
        total: all.size,
        judged: [...all].filter((one) => judged.has(one)).length,
        notApplicable: [...all].filter((one) => !judged.has(one) && !possible.has(one)).length,
      };
    };
    return [
      {
        scenario,
        points: points.length,
        cases: points.filter(({ id }) => stateOf(id) !== undefined).length,
        pairs: count((size) => size === 2),
        combinations: count((size) => size > 2),
      },
    ];
  });
}

/** Adds up the coverage of scenarios. */
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
