import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateCheckModules } from '../../common/compile-schema.ts';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import {
  catalogFile,
  checksFolder,
  digestOf,
  type PrebuiltCatalog,
  resolvedFolder,
} from '../../common/prebuilt.ts';
import { type JsonSchema, readSchemaFiles } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { catalogOfPackage, listYamlFiles } from './catalog.ts';
import type { Expectation } from './expectation.ts';

const yamlFolders = [
  'specs',
  'specs/requirements',
  'suites',
  'fixtures',
  'fixtures/answers',
  'fixtures/profiles',
  'reference-server/faults',
  'reference-server/variants',
];

/**
 * The schemas of the files that `catalogOfPackage` does not read. The build validates them, since prebuilt values are
 * trusted.
 */
const readLater = {
  'specs/sdk-requirements.yaml': 'sdk-requirements',
  'fixtures/answers': 'answers',
  'fixtures/reference-gateway.yaml': 'reference-gateway',
  'reference-server/faults': 'faults',
  'reference-server/variants': 'variants',
};

/**
 * Returns the prebuilt catalog and validators: the text of each file, by its path relative to `dist/`. Rejects if a
 * data file or a schema is invalid.
 */
export async function prebuild(): Promise<ReadonlyMap<string, string>> {
  const { schemas, ledger } = await catalogOfPackage();
  for (const [path, schema] of Object.entries(readLater))
    for (const file of path.endsWith('.yaml')
      ? [join(packageRoot, path)]
      : listYamlFiles(join(packageRoot, path)))
      readBySchema(readDataFile(file), schema, schemas);
  const files = readSchemaFiles();
  const catalog: PrebuiltCatalog = {
    values: Object.fromEntries(
      yamlFolders
        .flatMap((folder) => listYamlFiles(join(packageRoot, folder)))
        .map((path) => [digestOf(readFileSync(path, 'utf8')), readDataFile(path).value]),
    ),
    schemas: digestOf(...files.map(({ text }) => text)),
  };
  const inline = new Map(
    ledger.requirements
      .flatMap(({ then }) => schemasIn(then))
      .map((schema) => [JSON.stringify(schema), schema]),
  );
  return new Map([
    [catalogFile, JSON.stringify(catalog)],
    ...schemas.names.map(
      (name) => [`${resolvedFolder}/${name}.json`, JSON.stringify(schemas.resolved(name))] as const,
    ),
    ...[...generateCheckModules(files, [...inline.values()])].map(
      ([file, source]) => [`${checksFolder}/${file}`, source] as const,
    ),
  ]);
}

function schemasIn(expectation: Expectation): JsonSchema[] {
  if (expectation.kind === 'is') return [expectation.schema];
  return 'of' in expectation ? [expectation.of].flat().flatMap(schemasIn) : [];
}
