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
import { listFaults } from '../../reference-server/faults/index.ts';
import { readSeed } from '../../reference-server/gateway/seed.ts';
import { listVariants } from '../../reference-server/variants/index.ts';
import { catalogOfPackage, listYamlFiles } from './catalog.ts';
import type { Expectation } from './expectation.ts';

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
  // A command trusts prebuilt values, so the build reads, and so validates, what the commands read.
  for (const read of [readSeed, listFaults, listVariants]) read();
  const { schemas, ledger } = await catalogOfPackage();
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
