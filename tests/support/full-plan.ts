import { consoleSetup, createProfile as referenceProfile } from '../../reference-server/gateway/profile.ts';
import { readSeed } from '../../reference-server/gateway/seed.ts';
import { type Catalog, catalogOfPackage } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import type { Profile } from '../../runner/profile/profile.ts';
import { parseProfile } from '../../runner/profile/read-profile.ts';

/**
 * Returns the catalog, the profile of the reference gateway, which offers every operation, and the plan of a full run.
 */
export async function createFullPlan(): Promise<{ catalog: Catalog; profile: Profile; plan: Plan }> {
  const catalog = await catalogOfPackage();
  const reference = referenceProfile(readSeed(), 'http://127.0.0.1', { setup: consoleSetup });
  const profile = parseProfile(reference, catalog);
  return { catalog, profile, plan: plan(catalog, profile) };
}
