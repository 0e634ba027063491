import type { Plan } from '../../runner/plan/plan.ts';
import type { GatewayPromise } from '../../runner/profile/promise.ts';
import { createFullPlan } from '../support/full-plan.ts';

/** Returns the lines of each file in tests/pins. */
export async function createPins(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { promise, plan } = await createFullPlan();
  return {
    'requirement-ids.txt': listRequirementIds(promise),
    'cases-per-requirement.txt': [...countCases(plan)].map(([id, count]) => `${id} ${count}`).sort(),
  };
}

export function listRequirementIds({ requirements, uncheckedClauses }: GatewayPromise): readonly string[] {
  return [...requirements, ...uncheckedClauses].map(({ id }) => id).sort();
}

/** Counts the cases that judge or observe each requirement. */
export function countCases({ cases }: Plan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { checks, observes } of cases) {
    const ids = [...checks.map(({ requirement }) => requirement.id), ...observes.map(({ id }) => id)];
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
