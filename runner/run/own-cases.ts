import { listOwnSuites } from '../catalog/own-data.ts';
import { createControls } from '../evidence/controls.ts';
import type { PlannedCase } from '../plan/plan.ts';
import { UsageError } from '../profile/profile.ts';
import type { GatewayPromise } from '../profile/promise.ts';
import { deriveKeys } from '../request/keys.ts';
import { planRequests } from '../send/plan-requests.ts';
import { buildContext } from '../send/sender.ts';

/**
 * Throws a `UsageError` if a request of a scenario that the profile adds can't be built, for example since a `fault` lacks
 * its `given`. The tests of this package show that for its own scenarios.
 */
export function validateOwnCases(cases: readonly PlannedCase[], promise: GatewayPromise): void {
  const suites = listOwnSuites(promise.profile.own);
  const own = cases.filter(({ suite, notApplicable }) => suites.includes(suite) && !notApplicable);
  if (own.length === 0) return;
  const context = buildContext({ promise, keys: deriveKeys(promise.profile.keys) }, createControls());
  for (const item of own)
    try {
      planRequests(item, context, '');
    } catch (error) {
      // The remedies of these errors are for the data of this package.
      const [problem] = (error instanceof Error ? error.message : String(error)).split('. ');
      throw new UsageError(
        `The scenario of ${item.id} describes a request that can't be built: ${problem}. Correct the scenario.`,
      );
    }
}
