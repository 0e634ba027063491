import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inlineFile, type JsonSchema, type SchemaCheck, type SchemaCompiler } from './compile-schema.ts';
import { packageRoot } from './package-root.ts';

/**
 * The parsed data files in `catalog.json`. Each part is valid only if the current digest of its files equals the
 * stored digest.
 */
export interface PrebuiltCatalog {
  /** The parsed values of YAML files, by the digest of each file's text. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The digest of the texts of all files in `specs/schemas`, in the order of their names. */
  readonly schemas: string;
}

export interface PrebuiltSchemas extends Pick<SchemaCompiler, 'named'> {
  /** Returns a schema with resolved references. Few commands need one, and they are large. */
  readonly resolved: (name: string) => JsonSchema;
  /** Returns the validator of a schema in a requirement; undefined for any other schema. */
  readonly inline: (schema: JsonSchema) => SchemaCheck | undefined;
}

const dist = join(packageRoot, 'dist');
/** Whether this module runs from `dist/`. The TypeScript sources never use the prebuilt catalog. */
const isBuilt = fileURLToPath(import.meta.url).startsWith(dist);
const load = createRequire(import.meta.url);
const none: PrebuiltCatalog = { values: {}, schemas: '' };

/** The name of the file in `dist/` with the parsed data files. */
export const catalogFile = 'catalog.json';
/** The name of the folder in `dist/` with the compiled validators. */
export const checksFolder = 'checks';
/** The name of the folder in `dist/` with the schemas whose references are resolved. */
export const resolvedFolder = 'schemas';

let catalog: PrebuiltCatalog | undefined;

/** Returns the SHA-256 digest of a list of texts, in base64. */
export function digestOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('base64');
}

/**
 * Returns the parsed value of a YAML text. Returns undefined if no data file had this text when `catalog.json` was
 * built, if `catalog.json` does not exist, or if this module runs from source.
 */
export function findPrebuiltValue(text: string): unknown {
  return getCatalog().values[digestOf(text)];
}

/**
 * Returns the prebuilt schemas. `texts` are the current texts of the files in `specs/schemas`, in the order of their
 * names. Returns undefined if the texts were different when `catalog.json` was built, if `catalog.json` does not
 * exist, or if this module runs from source.
 */
export function findPrebuiltSchemas(texts: readonly string[]): PrebuiltSchemas | undefined {
  if (getCatalog().schemas !== digestOf(...texts)) return undefined;
  const open = (file: string) => load(join(dist, checksFolder, file));
  return {
    resolved: (name) => load(join(dist, resolvedFolder, `${name}.json`)),
    named: (name) => open(`${name}.cjs`),
    inline: (schema) => {
      const checks: Readonly<Record<string, SchemaCheck | undefined>> = open(inlineFile);
      return checks[JSON.stringify(schema)];
    },
  };
}

function getCatalog(): PrebuiltCatalog {
  catalog ??= readCatalog();
  return catalog;
}

function readCatalog(): PrebuiltCatalog {
  const file = join(dist, catalogFile);
  return isBuilt && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
}
