import type { Catalog, CatalogData } from '../catalog/catalog.ts';
import { mapOperations, type Operation } from '../catalog/operations.ts';
import { addOwnData } from '../catalog/own-data.ts';
import type { Requirement, UncheckedClause } from '../catalog/requirements.ts';
import { addOwnNames, addOwnTypes, type Deviations, readDeviations } from './deviations.ts';
import type { OtherFamily, Profile } from './profile.ts';

/**
 * What one gateway must do: the data with what the profile adds, the requirements that hold for this gateway, and its
 * profile. Only `createPromise` reads the ledger, so that one place decides what holds.
 */
export interface GatewayPromise extends CatalogData {
  readonly profile: Profile;
  /** In the order of the ledger, then those that the profile adds. */
  readonly requirements: readonly Requirement[];
  readonly uncheckedClauses: readonly UncheckedClause[];
  /** What the gateway promises instead of the specification. */
  readonly deviations: Deviations;
}

/**
 * Throws a `UsageError` if a deviation of the profile is invalid, and a `DataFileError` if a requirement or a scenario
 * that it adds is.
 */
export function createPromise(catalog: Catalog, profile: Profile): GatewayPromise {
  const { ledger, ...data } = addOwnData(catalog, profile.own);
  const operations = mapOperations((id) => withFamily(data.operations[id], profile.operations[id]?.family));
  const deviations = readDeviations(profile.deviations, { ...data, requirements: ledger.requirements });
  const requirements = ledger.requirements.map((requirement) => {
    const instead = deviations.instead.get(requirement.id);
    const when = addOwnTypes(requirement.when, deviations);
    return instead || when !== requirement.when
      ? { ...requirement, when, ...(instead && { instead }) }
      : requirement;
  });
  const errors = addOwnNames(data.errors, deviations);
  return { ...data, ...ledger, requirements, errors, operations, deviations, profile };
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
