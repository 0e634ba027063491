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
import { prebuiltSchemas } from './prebuilt.ts';

export type { JsonSchema, SchemaCheck, SchemaError } from './compile-schema.ts';

/** A problem in a value: a JSON pointer to the invalid part, the violated keyword, and the message of Ajv. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** For a property that is not allowed because of another property: the name of the other property. */
  readonly conflict?: string;
}

/** The JSON Schemas of `specs/schemas` by name, with references resolved, and checks of values against them. */
export interface Schemas {
  readonly names: readonly string[];
  readonly resolved: (name: string) => JsonSchema;
  readonly problems: (schema: string | JsonSchema, value: unknown) => readonly SchemaProblem[];
}

const noProblems: readonly SchemaProblem[] = [];
const folder = join(packageRoot, 'specs', 'schemas');
const suffix = '.schema.json';

/** Reads the files of `specs/schemas` in the order of their names. */
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

/** Reads every schema of the package. Rejects if a schema is invalid or a reference has no target. */
export async function loadSchemas(): Promise<Schemas> {
  const files = readSchemaFiles();
  const prebuilt = prebuiltSchemas(texts(files));
  const resolved = prebuilt?.resolved ?? (await resolve(files));
  const checkOf = createChecks(files, prebuilt);
  return {
    names: files.map(({ name }) => name),
    resolved: (name) => {
      const schema = resolved[name];
      if (!schema) throw new Error(`specs/schemas has no ${name}${suffix}`);
      return schema;
    },
    problems: (schema, value) => {
      const check = checkOf(schema);
      return check(value) ? noProblems : (check.errors ?? []).map(problem);
    },
  };
}

/**
 * Creates the function that returns the check of a schema: a schema file by its name, or any other schema by
 * its value. A check that the build did not compile is compiled when it is first needed.
 */
export function createChecks(
  files: readonly SchemaFile[] = readSchemaFiles(),
  prebuilt = prebuiltSchemas(texts(files)),
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

function texts(files: readonly SchemaFile[]): readonly string[] {
  return files.map(({ text }) => text);
}

async function resolve(files: readonly SchemaFile[]): Promise<Readonly<Record<string, JsonSchema>>> {
  const { resolveSchemas } = await import('./resolve-schemas.ts');
  return resolveSchemas(files);
}

function problem(error: SchemaError): SchemaProblem {
  const { instancePath, keyword, message, params } = error;
  const conflict = findConflict(error);
  return {
    pointer: instancePath,
    keyword,
    message: message ?? `violates ${keyword}`,
    params,
    ...(conflict !== undefined && { conflict }),
  };
}

/** Returns the property whose presence excludes the property of the error; undefined for other errors. */
export function findConflict({ keyword, schemaPath }: SchemaError): string | undefined {
  return keyword === 'false schema' ? /dependentSchemas\/([^/]+)\//.exec(schemaPath)?.[1] : undefined;
}

/** Describes a problem in words, with the allowed values or the unknown member. */
export function describeProblem({ message, params }: Pick<SchemaProblem, 'message' | 'params'>): string {
  const { allowedValues, additionalProperty, propertyName } = params;
  const extra = additionalProperty ?? propertyName;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  return extra === undefined ? message : `${message}: ${String(extra)}`;
}
