import { catalogOfPackage } from '../../runner/catalog/catalog.ts';
import { listCandidates } from '../../runner/plan/expand-axes.ts';
import { createEverythingProfile } from '../../runner/profile/everything-profile.ts';
import { createPromise } from '../../runner/profile/promise.ts';
import { selectCovering } from './select-covering.ts';

/** Lists the ends of the IDs of the cases that a default run selects, by scenario. */
export async function listDefaultCases(): Promise<Readonly<Record<string, readonly string[]>>> {
  const catalog = await catalogOfPackage();
  const promise = createPromise(catalog, createEverythingProfile(catalog));
  const entries = catalog.scenarios.flatMap((scenario) => {
    if (!scenario.combine) return [];
    const candidates = listCandidates(scenario, promise);
    const selected = selectCovering(candidates, scenario, catalog.operations);
    const prefix = `${scenario.suite}/${scenario.id}`;
    return [[prefix, selected.map(({ id }) => id.slice(prefix.length + 1))]];
  });
  return Object.fromEntries(entries);
}
