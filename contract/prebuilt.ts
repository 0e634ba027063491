import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inlineFile, type JsonSchema, type SchemaCheck, type SchemaCompiler } from './compile-schema.ts';
import { packageRoot } from './package-root.ts';

/** The data files as the build parsed them. Each part is valid only for files with the same digest. */
export interface PrebuiltCatalog {
  /** The values of YAML files, by the digest of the text. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly schemas: {
    /** The digest of the texts of the files in `specs/schemas`, in the order of their names. */
    readonly digest: string;
    readonly resolved: Readonly<Record<string, JsonSchema>>;
  };
}

/** The resolved schemas and the compiled checks that the build generated. */
export interface PrebuiltSchemas extends Pick<SchemaCompiler, 'named'> {
  readonly resolved: Readonly<Record<string, JsonSchema>>;
  /** Returns the check of an inline schema of a requirement; undefined for any other schema. */
  readonly inline: (schema: JsonSchema) => SchemaCheck | undefined;
}

const dist = join(packageRoot, 'dist');
/** Whether this module runs from `dist/`. From source, as in most tests, it always reads the data files. */
const isBuilt = fileURLToPath(import.meta.url).startsWith(dist);
const load = createRequire(import.meta.url);
const none: PrebuiltCatalog = { values: {}, schemas: { digest: '', resolved: {} } };

/** The prebuilt catalog in `dist/`: a file with the data, and a folder with the compiled checks of its schemas. */
export const catalogFile = 'catalog.json';
export const checksFolder = 'checks';

let catalog: PrebuiltCatalog | undefined;

/** Returns the SHA-256 digest of the texts, in base64. */
export function digestOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\0');
  return hash.digest('base64');
}

/** Returns the parsed value of a YAML text, or undefined if no data file had this text when the package was built. */
export function prebuiltValue(text: string): unknown {
  return prebuilt().values[digestOf(text)];
}

/**
 * Returns the resolved schemas and the compiled checks, or undefined if the files of `specs/schemas` have changed since the
 * build.
 */
export function prebuiltSchemas(texts: readonly string[]): PrebuiltSchemas | undefined {
  const { digest, resolved } = prebuilt().schemas;
  if (digest !== digestOf(...texts)) return undefined;
  const open = (file: string) => load(join(dist, checksFolder, file));
  return {
    resolved,
    named: (name) => open(`${name}.cjs`),
    inline: (schema) => {
      const checks: Readonly<Record<string, SchemaCheck | undefined>> = open(inlineFile);
      return checks[JSON.stringify(schema)];
    },
  };
}

function prebuilt(): PrebuiltCatalog {
  catalog ??= readCatalog();
  return catalog;
}

function readCatalog(): PrebuiltCatalog {
  const file = join(dist, catalogFile);
  return isBuilt && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : none;
}
