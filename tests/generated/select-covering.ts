import type { Attributes } from '../../runner/catalog/condition.ts';
import type { Operations } from '../../runner/catalog/operations.ts';
import type { Scenario } from '../../runner/catalog/scenarios.ts';
import { type CaseCandidate, listCombinations, listGroups } from '../../runner/plan/expand-axes.ts';
import { modelRoles } from '../../runner/profile/profile.ts';

/** A point of a scenario, with the properties that the selection depends on. */
interface Point {
  readonly candidate: CaseCandidate;
  readonly values: readonly number[];
  /** Whether the point is preferred because of the usual header and form of a request. */
  readonly isUsual: boolean;
  /** The values that not every gateway offers or not every profile states, such as `messages` or `deleted`. */
  readonly needs: readonly string[];
  /** Whether the point was selected before. */
  readonly wasSelected: boolean;
}

/**
 * Selects points of a scenario, in the order of `candidates`. Every pair of values of two axes, and every combination
 * of the axes in `combine`, that occurs in a point also occurs in a selected point. Among the points without an
 * optional value, and among the points without a given optional value, the selected points also cover all pairs and
 * combinations.
 */
export function selectCovering(
  candidates: readonly CaseCandidate[],
  scenario: Scenario,
  operations: Operations,
): readonly CaseCandidate[] {
  const points = candidates.map(
    (candidate): Point => ({
      candidate,
      values: candidate.values,
      isUsual: isUsual(candidate, scenario, operations),
      needs: listNeeds(candidate.given),
      wasSelected: scenario.defaultCases !== undefined && candidate.isDefault,
    }),
  );
  const combinations = listCombinations(points, listGroups(scenario));
  const selected = new Set<Point>();
  const add = (among: readonly Point[]): void => addCovering(among, combinations, selected);
  add(points.filter(({ needs }) => needs.length === 0));
  for (const need of new Set(points.flatMap(({ needs }) => needs)))
    add(points.filter(({ needs }) => !needs.includes(need)));
  add(points);
  return points.filter((point) => selected.has(point)).map(({ candidate }) => candidate);
}

/**
 * Adds points until the selected points cover all combinations of `points`. First adds the usual points that cover
 * further combinations, then the points that were selected before, so that a new value removes no case that a
 * baseline may name. Then repeatedly adds the point that covers the most further combinations.
 */
function addCovering(
  points: readonly Point[],
  combinations: ReadonlyMap<Point, readonly number[]>,
  selected: Set<Point>,
): void {
  const covered = new Set<number>();
  const combinationsOf = (point: Point): readonly number[] => combinations.get(point) ?? [];
  const gainOf = (point: Point): number => combinationsOf(point).filter((one) => !covered.has(one)).length;
  const take = (point: Point): void => {
    selected.add(point);
    for (const one of combinationsOf(point)) covered.add(one);
  };
  for (const point of points) if (selected.has(point)) take(point);
  for (const point of points) if (point.isUsual && gainOf(point) > 0) take(point);
  for (const point of points) if (point.wasSelected) take(point);
  let waiting = points.map((point) => ({ point, gain: gainOf(point) }));
  // A gain never rises, so a point whose gain is still the highest possible one is the best.
  for (let gain = Math.max(0, ...waiting.map((item) => item.gain)); gain > 0; gain -= 1) {
    for (const item of waiting) {
      if (item.gain !== gain) continue;
      item.gain = gainOf(item.point);
      if (item.gain === gain) take(item.point);
    }
    waiting = waiting.filter((item) => item.gain > 0);
  }
}

/**
 * Whether a point has the usual header and form of a request. False if the scenario varies neither header nor form.
 */
function isUsual({ given }: CaseCandidate, { axes }: Scenario, operations: Operations): boolean {
  const variesHeader = axes.some(
    ({ name, values }) => name === 'header' && values.some((value) => value.name === 'any'),
  );
  const { header = 'any', streamed } = given;
  const operation = Object.values(operations).find(({ id }) => id === given.operation);
  return (
    (variesHeader || streamed !== undefined) &&
    (!variesHeader || header === 'any') &&
    (streamed === undefined || streamed === String(operation?.streams === 'always'))
  );
}

const requiredOperations = ['chat', 'responses', 'models', 'none'];
const optionalKeys = ['deleted', 'depleted', 'foreign'];

/** Lists the values of a request that not every gateway offers, or not every profile states. */
function listNeeds({ operation = 'none', key = 'none', model = 'none' }: Attributes): string[] {
  const hasDefault = operation === 'responses' && model === 'mismatched';
  return [
    ...(requiredOperations.includes(operation) ? [] : [operation.replace('streamGenerate', 'generate')]),
    ...(optionalKeys.includes(key) ? [key, 'another key'] : []),
    ...(model in modelRoles && !hasDefault ? [model, 'another model'] : []),
  ];
}
