import type { Catalog } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { withoutChanges } from '../../runner/plan/select.ts';
import { createEverythingProfile, limitableOperations } from '../../runner/profile/everything-profile.ts';

/** Returns the full plans that `merge` compares reports with: one for each operation whose rate limit can be tested. */
export function allPlans(catalog: Catalog): readonly Plan[] {
  return limitableOperations.flatMap((id) => {
    const whole = plan(catalog, createEverythingProfile(catalog, id));
    return [withoutChanges(whole), whole];
  });
}
