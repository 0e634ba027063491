import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../common/package-root.ts';
import type { Plan } from '../../runner/plan/plan.ts';
import type { GatewayPromise } from '../../runner/profile/promise.ts';
import { createFullPlan } from '../support/full-plan.ts';
import { readSpecification } from './read-specification.ts';

/** The text of the specification, which is not part of this repository. */
export const specification = process.env.SPECIFICATION ?? join(packageRoot, '..', 'shared', 'spec.md');

/** Returns the lines of each file in tests/pins; the names of the parts only if the specification is available. */
export async function createPins(): Promise<Readonly<Record<string, readonly string[]>>> {
  const { promise, plan } = await createFullPlan();
  return {
    'requirement-ids.txt': listRequirementIds(promise),
    'cases-per-requirement.txt': [...countCases(plan)].map(([id, count]) => `${id} ${count}`).sort(),
    ...(existsSync(specification) && {
      'specification.txt': readSpecification(readFileSync(specification, 'utf8')),
    }),
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
