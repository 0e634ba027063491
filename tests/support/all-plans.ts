import type { Catalog } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { createEverythingProfile, limitableOperations } from '../../runner/profile/everything-profile.ts';

/** The plans of all that a profile can state, as `merge` makes them. */
export function allPlans(catalog: Catalog): readonly Plan[] {
  return limitableOperations.map((id) => plan(catalog, createEverythingProfile(catalog, id)));
}
