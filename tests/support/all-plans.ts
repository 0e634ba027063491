import type { Catalog } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { removeGatewayChanges } from '../../runner/plan/select.ts';
import { createEverythingProfile, limitableOperations } from '../../runner/profile/everything-profile.ts';
import { createPromise } from '../../runner/profile/promise.ts';

/**
 * Returns the plans that `merge` compares reports of runs without `--thorough` with: for each operation whose rate
 * limit can be tested, a plan without and a plan with changes of the state of the gateway.
 */
export function createAllPlans(catalog: Catalog): readonly Plan[] {
  return limitableOperations.flatMap((id) => {
    const whole = plan(createPromise(catalog, createEverythingProfile(catalog, id)));
    return [removeGatewayChanges(whole), whole];
  });
}
