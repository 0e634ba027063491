import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { toMapping } from '../../common/mapping.ts';
import { packageRoot } from '../../common/package-root.ts';
import { loadSchemas, type Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { type AttributeVocabulary, attributesFile, attributesOfPackage } from './attributes.ts';
import { type Clauses, checkClausesOf, readClauses, type Section } from './clauses.ts';
import { type ClientDuty, readClientDuties } from './client-duties.ts';
import { checkErrorNames } from './error-names.ts';
import { type ErrorRows, readErrors } from './errors.ts';
import { checkFixtureNames } from './fixture-names.ts';
import { type Fixtures, loadFixtures } from './fixtures.ts';
import type { Operations } from './operations.ts';
import { readOperations } from './read-operations.ts';
import { type RequirementData, readRequirements } from './requirements.ts';
import { readScenarios, type Scenario } from './scenarios.ts';

/**
 * The parsed data of `specs/`, `suites/` and `fixtures/` that planning and judging need, without the requirements, and
 * the client duties.
 */
export interface CatalogData {
  readonly attributes: AttributeVocabulary;
  readonly operations: Operations;
  readonly clauses: Clauses;
  readonly sections: readonly Section[];
  readonly errors: ErrorRows;
  readonly clientDuties: readonly ClientDuty[];
  readonly scenarios: readonly Scenario[];
  readonly fixtures: Fixtures;
  readonly schemas: Schemas;
  /**
   * The version of the requirements and the attributes: the first 12 hexadecimal digits of the SHA-256 hash of their
   * files.
   */
  readonly revision: string;
}

export interface Catalog extends CatalogData {
  /** The requirements of the specification. `createPromise` decides which of them hold for a gateway. */
  readonly ledger: RequirementData;
}

let loaded: Promise<Catalog> | undefined;

/**
 * Resolves to the catalog of this package, which the first call loads. Rejects in the same cases as `loadCatalog`.
 */
export function catalogOfPackage(): Promise<Catalog> {
  loaded ??= loadCatalog();
  return loaded;
}

const suiteOrder = ['auth', 'streams', 'requests', 'models', 'balance', 'billing', 'pooled'];

/**
 * Loads the catalog from the data files of this package. `suites` is the folder of the suite files. Rejects with a
 * `DataFileError` or another `Error` if a file cannot be read or is invalid.
 */
export async function loadCatalog(suites: string = join(packageRoot, 'suites')): Promise<Catalog> {
  const schemas = await loadSchemas();
  const specs = join(packageRoot, 'specs');
  readBySchema(readDataFile(attributesFile), 'attributes', schemas);
  const attributes = attributesOfPackage();
  const { clauses, sections } = readClauses(readDataFile(join(specs, 'clauses.yaml')));
  const requirementFiles = listYamlFiles(join(specs, 'requirements'));
  const requirementData = requirementFiles.map((path) => readDataFile(path));
  for (const file of requirementData) checkClausesOf(file, clauses);
  const errorsFile = readDataFile(join(specs, 'errors.yaml'));
  const errors = readErrors(errorsFile, attributes, clauses, schemas);
  const ledger = readRequirements(requirementData, attributes, schemas, { errors });
  checkErrorNames({ file: errorsFile, errors }, ledger.requirements, requirementData);
  const defaultCases = readDefaultCases(suites);
  const fixtures = loadFixtures(schemas);
  const suiteFiles = listYamlFiles(suites).sort((a, b) => rank(a) - rank(b));
  return {
    attributes,
    operations: readOperations(readDataFile(join(specs, 'operations.yaml')), schemas, {
      clauses,
      requirements: ledger.requirements,
      bodies: fixtures.bodies,
    }),
    ledger,
    clauses,
    sections,
    errors,
    clientDuties: readClientDuties(readDataFile(join(specs, 'client-duties.yaml')), clauses),
    scenarios: suiteFiles.flatMap((path) => {
      const file = readDataFile(path);
      const scenarios = readScenarios(suiteName(path), file, schemas, attributes, defaultCases);
      checkFixtureNames(file, scenarios, fixtures);
      return scenarios;
    }),
    fixtures,
    schemas,
    revision: hash([attributesFile, ...requirementFiles]),
  };
}

/**
 * Reads `default-cases.json`, which lists the cases of a default run by scenario ID. Returns an empty object if the
 * file does not exist, so that a default run has all cases.
 */
function readDefaultCases(suites: string): Readonly<Record<string, unknown>> {
  const file = join(suites, 'default-cases.json');
  return existsSync(file) ? toMapping(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

/**
 * Returns the paths of the `.yaml` files in a folder, sorted by name. Ignores the files in subfolders.
 * Throws a system error if the folder cannot be read.
 */
export function listYamlFiles(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => join(folder, file));
}

function suiteName(path: string): string {
  return basename(path, '.yaml');
}

function rank(path: string): number {
  const index = suiteOrder.indexOf(suiteName(path));
  return index < 0 ? suiteOrder.length : index;
}

function hash(paths: readonly string[]): string {
  const sum = createHash('sha256');
  for (const path of paths) sum.update(readFileSync(path));
  return sum.digest('hex').slice(0, 12);
}
