import { consoleSetup, createProfile as referenceProfile } from '../../reference-server/gateway/profile.ts';
import { readSeed } from '../../reference-server/gateway/seed.ts';
import { catalogOfPackage } from '../../runner/catalog/catalog.ts';
import { type Plan, plan } from '../../runner/plan/plan.ts';
import { createPromise, type GatewayPromise } from '../../runner/profile/promise.ts';
import { parseProfile } from '../../runner/profile/read-profile.ts';

/** Returns the promise of the reference gateway, which offers every operation, and the plan of a full run. */
export async function createFullPlan(): Promise<{ promise: GatewayPromise; plan: Plan }> {
  const catalog = await catalogOfPackage();
  const reference = referenceProfile(readSeed(), 'http://127.0.0.1', { setup: consoleSetup });
  const promise = createPromise(catalog, parseProfile(reference, catalog));
  return { promise, plan: plan(promise) };
}
