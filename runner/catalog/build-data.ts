import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSource, checksSource } from '../../contract/compile-schema.ts';
import { readDataFile } from '../../contract/data-file.ts';
import { packageRoot } from '../../contract/package-root.ts';
import { type BuiltData, builtDataFile, inlineChecks, type JsonSchema } from '../../contract/prebuilt.ts';
import { readSchemaFiles } from '../../contract/schemas.ts';
import { loadCatalog, yamlFiles } from './catalog.ts';
import type { Expectation } from './expectation.ts';

/** Where the YAML files are that are read at a start. */
const folders = ['specs', 'specs/requirements', 'suites', 'fixtures'];

/** The files by name that spare a start the reading of YAML and the compiling of schemas; throws as loadCatalog does. */
export async function buildData(): Promise<ReadonlyMap<string, string>> {
  const { schemas, ledger } = await loadCatalog();
  const data: BuiltData = {
    values: folders
      .flatMap((folder) => yamlFiles(join(packageRoot, folder)))
      .map((path) => ({ text: readFileSync(path, 'utf8'), value: readDataFile(path).value })),
    schemas: {
      texts: readSchemaFiles().map(({ text }) => text),
      resolved: Object.fromEntries(schemas.names.map((name) => [name, schemas.resolved(name)])),
    },
  };
  const inline = new Map(
    ledger.requirements
      .flatMap(({ then }) => inlineOf(then))
      .map((schema) => [JSON.stringify(schema), schema]),
  );
  return new Map([
    [builtDataFile, JSON.stringify(data)],
    ...schemas.names.map((name) => [`${name}.cjs`, checkSource(schemas.resolved(name))] as const),
    [`${inlineChecks}.cjs`, checksSource([...inline.values()])],
  ]);
}

/** The schemas that stand in an expectation itself. */
function inlineOf(expectation: Expectation): JsonSchema[] {
  if (expectation.kind === 'is') return [expectation.schema];
  return 'of' in expectation ? [expectation.of].flat().flatMap(inlineOf) : [];
}
