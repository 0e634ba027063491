import type { Catalog } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { everythingProfile, limitable } from '../../runner/profile/everything-profile.ts';

/** The plans of all that a profile can state, as `merge` makes them. */
export function allPlans(catalog: Catalog): readonly Plan[] {
  return limitable.map((id) => plan(catalog, everythingProfile(catalog, id)));
}
