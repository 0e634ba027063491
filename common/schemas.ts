import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createCompiler,
  type JsonSchema,
  type SchemaCheck,
  type SchemaError,
  type SchemaFile,
} from './compile-schema.ts';
import { packageRoot } from './package-root.ts';
import { findPrebuiltSchemas } from './prebuilt.ts';

export type { JsonSchema, SchemaCheck, SchemaError } from './compile-schema.ts';

export interface SchemaProblem {
  /** The JSON pointer to the invalid part of the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  /** The parameters of the message that Ajv documents for the keyword. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The property whose presence excludes the invalid property; absent if the problem has another cause. */
  readonly conflict?: string;
  /** Why a property is not allowed here, as the schema says it. */
  readonly reason?: string;
}

/** The JSON Schemas of `specs/schemas`. The name of a schema is its file name without `.schema.json`. */
export interface Schemas {
  readonly names: readonly string[];
  /** Returns a schema with resolved references. Throws an `Error` if no schema has the name. */
  readonly resolved: (name: string) => JsonSchema;
  /**
   * Returns the problems of a value; empty if the value conforms. `schema` is a schema, or the name of a schema file.
   * Throws an `Error` if no schema has the name, or if the schema is invalid.
   */
  readonly problems: (schema: string | JsonSchema, value: unknown) => readonly SchemaProblem[];
}

const noProblems: readonly SchemaProblem[] = [];
const folder = join(packageRoot, 'specs', 'schemas');
const suffix = '.schema.json';

/** Reads the files `specs/schemas/*.schema.json`, in the order of their names. Throws if a file cannot be read. */
export function readSchemaFiles(): readonly SchemaFile[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => ({
      name: file.slice(0, -suffix.length),
      file: join(folder, file),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/**
 * Reads the schema files of `specs/schemas`. Rejects if a file cannot be read or parsed, or if a reference has no
 * target. For other defects of a schema, `problems` throws an error.
 */
export async function loadSchemas(): Promise<Schemas> {
  const files = readSchemaFiles();
  const prebuilt = findPrebuiltSchemas(textsOf(files));
  const names = files.map(({ name }) => name);
  const findResolved = prebuilt?.resolved ?? (await resolve(files));
  const checkOf = createChecks(files, prebuilt);
  return {
    names,
    resolved: (name) => {
      const schema = names.includes(name) ? findResolved(name) : undefined;
      if (!schema)
        throw new Error(
          `specs/schemas has no ${name}${suffix}. Add the file, or correct the name of the schema.`,
        );
      return schema;
    },
    problems: (schema, value) => findProblems(checkOf(schema), value),
  };
}

/** Returns the problems of a value that a validator finds; empty if the value conforms. */
export function findProblems(check: SchemaCheck, value: unknown): readonly SchemaProblem[] {
  return check(value) ? noProblems : (check.errors ?? []).map(toProblem);
}

/**
 * Returns a function that returns the validator of a schema, given the name of a schema file or an inline schema. A
 * validator that the build did not compile is compiled at the first use. The function throws an `Error` if no schema
 * has the name, or if the schema is invalid.
 */
export function createChecks(
  files: readonly SchemaFile[] = readSchemaFiles(),
  prebuilt = findPrebuiltSchemas(textsOf(files)),
): (schema: string | JsonSchema) => SchemaCheck {
  const compile = createCompiler(files);
  const checks = new Map<string | JsonSchema, SchemaCheck>();
  return (schema) => {
    const known = checks.get(schema);
    if (known) return known;
    const check =
      typeof schema === 'string'
        ? (prebuilt ?? compile).named(schema)
        : (prebuilt?.inline(schema) ?? compile.inline(schema));
    checks.set(schema, check);
    return check;
  };
}

function textsOf(files: readonly SchemaFile[]): readonly string[] {
  return files.map(({ text }) => text);
}

async function resolve(files: readonly SchemaFile[]): Promise<(name: string) => JsonSchema | undefined> {
  const { resolveSchemas } = await import('./resolve-schemas.ts');
  const schemas = await resolveSchemas(files);
  return (name) => schemas[name];
}

function toProblem(error: SchemaError): SchemaProblem {
  const { instancePath, keyword, message, params } = error;
  const conflict = findConflict(error);
  const reason = keyword === 'not' ? error.parentSchema?.description : undefined;
  const title = keyword === 'pattern' ? error.parentSchema?.title : undefined;
  return {
    pointer: instancePath,
    keyword,
    message: typeof title === 'string' ? `must be ${title}` : (message ?? `violates ${keyword}`),
    params,
    ...(conflict !== undefined && { conflict }),
    ...(typeof reason === 'string' && { reason }),
  };
}

/** Returns the property whose presence excludes the property of the error; undefined for any other error. */
export function findConflict({ keyword, schemaPath }: SchemaError): string | undefined {
  return keyword === 'false schema' ? /dependentSchemas\/([^/]+)\//.exec(schemaPath)?.[1] : undefined;
}

/** Formats the message of a problem, followed by the allowed values or by the property that is not allowed, if any. */
export function describeProblem({ message, params }: Pick<SchemaProblem, 'message' | 'params'>): string {
  const { allowedValues, additionalProperty, propertyName } = params;
  const extra = additionalProperty ?? propertyName;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  return extra === undefined ? message : `${message}: ${String(extra)}`;
}
