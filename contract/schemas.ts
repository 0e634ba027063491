import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCompiler } from './compile-schema.ts';
import { packageRoot } from './package-root.ts';
import { builtCheck, builtInlineCheck, builtSchemas, type JsonSchema, type SchemaCheck } from './prebuilt.ts';

export type { JsonSchema } from './prebuilt.ts';

/** Where a value breaks its schema: a JSON pointer into the value, and the complaint. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The JSON Schemas of `specs/schemas` by name, with references resolved, and checks of values against them. */
export interface Schemas {
  readonly names: readonly string[];
  /** The schema with every reference replaced by what it refers to. */
  readonly resolved: (name: string) => JsonSchema;
  /** All problems of the value, none where it is valid. */
  readonly problems: (schema: string | JsonSchema, value: unknown) => readonly SchemaProblem[];
}

const none: readonly SchemaProblem[] = [];
const folder = join(packageRoot, 'specs', 'schemas');
const suffix = '.schema.json';

/** The files of `specs/schemas` in the order of their names. */
export function readSchemaFiles(): readonly { name: string; file: string; text: string }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => ({
      name: file.slice(0, -suffix.length),
      file,
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/** Reads every schema of the package; throws where one is broken or refers to nothing. */
export async function loadSchemas(): Promise<Schemas> {
  const files = readSchemaFiles();
  const built = builtSchemas(files.map(({ text }) => text));
  const resolved = built ?? (await resolve(files));
  const compile = makeCompiler();
  const checks = new Map<string | JsonSchema, SchemaCheck>();

  function find(name: string): JsonSchema {
    const schema = resolved[name];
    if (!schema) throw new Error(`specs/schemas has no ${name}${suffix}`);
    return schema;
  }
  function checkOf(schema: string | JsonSchema): SchemaCheck {
    const known = checks.get(schema);
    if (known) return known;
    const check =
      typeof schema === 'string'
        ? built
          ? builtCheck(schema)
          : compile(find(schema))
        : (builtInlineCheck(schema) ?? compile(schema));
    checks.set(schema, check);
    return check;
  }
  return {
    names: files.map(({ name }) => name),
    resolved: find,
    problems: (schema, value) => {
      const check = checkOf(schema);
      return check(value) ? none : (check.errors ?? []).map(problem);
    },
  };
}

async function resolve(
  files: ReturnType<typeof readSchemaFiles>,
): Promise<Readonly<Record<string, JsonSchema>>> {
  const { resolveSchemas } = await import('./resolve-schemas.ts');
  return resolveSchemas(folder, files);
}

function problem({
  instancePath,
  keyword,
  message,
  params,
}: NonNullable<SchemaCheck['errors']>[number]): SchemaProblem {
  return { pointer: instancePath, keyword, message: message ?? `breaks ${keyword}`, params };
}

/** A problem in words, with the values that the schema allows or the member that it does not. */
export function describeProblem({ message, params }: Pick<SchemaProblem, 'message' | 'params'>): string {
  const { allowedValues, additionalProperty, propertyName } = params;
  const extra = additionalProperty ?? propertyName;
  if (Array.isArray(allowedValues)) return `${message}: ${allowedValues.join(', ')}`;
  return extra === undefined ? message : `${message}: ${String(extra)}`;
}
