import type { Catalog, CatalogData } from '../catalog/catalog.ts';
import type { Requirement, UncheckedClause } from '../catalog/requirements.ts';
import type { Profile } from './profile.ts';

/**
 * What one gateway must do: the data, the requirements that hold for this gateway, and its profile. Only
 * `createPromise` reads the ledger, so that one place decides what holds.
 */
export interface GatewayPromise extends CatalogData {
  readonly profile: Profile;
  /** In the order of the ledger. */
  readonly requirements: readonly Requirement[];
  readonly uncheckedClauses: readonly UncheckedClause[];
}

export function createPromise({ ledger, ...data }: Catalog, profile: Profile): GatewayPromise {
  return { ...data, ...ledger, profile };
}
