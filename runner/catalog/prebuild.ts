import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCheckModules } from '../../common/compile-schema.ts';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import { catalogFile, checksFolder, digestOf, type PrebuiltCatalog } from '../../common/prebuilt.ts';
import { type JsonSchema, readSchemaFiles } from '../../common/schemas.ts';
import { catalogOfPackage, listYamlFiles } from './catalog.ts';
import type { Expectation } from './expectation.ts';
import { readBySchema } from './validate-data.ts';

const yamlFolders = [
  'specs',
  'specs/requirements',
  'suites',
  'fixtures',
  'fixtures/profiles',
  'reference-server/faults',
  'reference-server/variants',
];

/**
 * Returns the prebuilt catalog and validators: the text of each file, by its path relative to `dist/`. Rejects if a
 * data file or a schema is invalid.
 */
export async function prebuild(): Promise<ReadonlyMap<string, string>> {
  const { schemas, ledger } = await catalogOfPackage();
  // Only `clients`, `list` and `explain` read this file.
  readBySchema(
    readDataFile(join(packageRoot, 'specs', 'sdk-requirements.yaml')),
    'sdk-requirements',
    schemas,
  );
  const files = readSchemaFiles();
  const catalog: PrebuiltCatalog = {
    values: Object.fromEntries(
      yamlFolders
        .flatMap((folder) => listYamlFiles(join(packageRoot, folder)))
        .map((path) => [digestOf(readFileSync(path, 'utf8')), readDataFile(path).value]),
    ),
    schemas: {
      digest: digestOf(...files.map(({ text }) => text)),
      resolved: Object.fromEntries(schemas.names.map((name) => [name, schemas.resolved(name)])),
    },
  };
  const inline = new Map(
    ledger.requirements
      .flatMap(({ then }) => schemasIn(then))
      .map((schema) => [JSON.stringify(schema), schema]),
  );
  return new Map([
    [catalogFile, JSON.stringify(catalog)],
    ...[...generateCheckModules(files, [...inline.values()])].map(
      ([file, source]) => [`${checksFolder}/${file}`, source] as const,
    ),
  ]);
}

function schemasIn(expectation: Expectation): JsonSchema[] {
  if (expectation.kind === 'is') return [expectation.schema];
  return 'of' in expectation ? [expectation.of].flat().flatMap(schemasIn) : [];
}
