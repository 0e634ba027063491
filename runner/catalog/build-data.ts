import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuiltData, builtDataFile, inlineChecks, type JsonSchema } from './built.ts';
import { loadCatalog, yamlFiles } from './catalog.ts';
import { checkSource, checksSource } from './compile-schema.ts';
import { readDataFile } from './data-file.ts';
import type { Expectation } from './expectation.ts';
import { packageRoot } from './package-root.ts';
import { readSchemaFiles } from './schemas.ts';

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
