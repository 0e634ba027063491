import { listFaults } from '../../../reference-server/faults/index.ts';
import { listVariants } from '../../../reference-server/variants/index.ts';
import { catalogOfPackage } from '../../catalog/catalog.ts';
import { plan } from '../../plan/plan.ts';
import { createEverythingProfile } from '../../profile/everything-profile.ts';
import { createPromise } from '../../profile/promise.ts';
import type { NameKind } from '../../run/define-option.ts';

/** The names that a shell completes, such as case IDs, by their kind. */
export type KnownNames = Readonly<Record<NameKind, readonly string[]>>;

/** Lists the names for a profile with all properties. The build calls this function. */
export async function listKnownNames(): Promise<KnownNames> {
  const catalog = await catalogOfPackage();
  const promise = createPromise(catalog, createEverythingProfile(catalog));
  const { cases } = plan(promise);
  return {
    requirements: promise.requirements.map(({ id }) => id),
    cases: cases.map(({ id }) => id),
    suites: [...new Set(cases.map(({ suite }) => suite))],
    faults: listFaults().map(({ id }) => id),
    variants: listVariants().map(({ id }) => id),
  };
}
