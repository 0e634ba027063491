import type { Catalog } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { removeGatewayChanges } from '../../runner/plan/select.ts';
import { createEverythingProfile, limitableOperations } from '../../runner/profile/everything-profile.ts';

/**
 * Returns the plans that `merge` compares reports of runs without `--thorough` with: for each operation whose rate
 * limit can be tested, a plan without and a plan with changes of the state of the gateway.
 */
export function createAllPlans(catalog: Catalog): readonly Plan[] {
  return limitableOperations.flatMap((id) => {
    const whole = plan(catalog, createEverythingProfile(catalog, id));
    return [removeGatewayChanges(whole), whole];
  });
}
