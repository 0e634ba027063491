import type { Catalog, CatalogData } from '../catalog/catalog.ts';
import { mapOperations, type Operation } from '../catalog/operations.ts';
import type { Requirement, UncheckedClause } from '../catalog/requirements.ts';
import type { OtherFamily, Profile } from './profile.ts';

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
  const operations = mapOperations((id) => withFamily(data.operations[id], profile.operations[id]?.family));
  return { ...data, ...ledger, operations, profile };
}

function withFamily(operation: Operation, family: OtherFamily | undefined): Operation {
  switch (family) {
    case undefined:
    case 'billing':
      return operation;
    case 'B':
      return { ...operation, family, surface: 'model' };
    case 'C':
      return { ...operation, family, surface: 'model', headers: ['x-goog-api-key', ...operation.headers] };
  }
}
