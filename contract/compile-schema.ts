import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';

// Ajv is loaded only when needed. Loading takes longer than the rest of the start, and a prebuilt catalog needs no Ajv.
const load = createRequire(import.meta.url);

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A problem that a schema check found, with the schema that contains the violated keyword. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  /** The place of the violated keyword, such as `#/dependentSchemas/text/properties/body/false schema`. */
  readonly schemaPath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: JsonSchema;
}

/** Checks a value against a schema. After a result of false, the property `errors` contains all problems. */
export interface SchemaCheck {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
}

/** The generated module with the compiled checks of inline schemas, which have no file of their own. */
export const inlineFile = 'inline.cjs';

/** A file of `specs/schemas`. */
export interface SchemaFile {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Compiles schemas: a schema file by its name, or an inline schema, which has no file of its own. */
export interface SchemaCompiler {
  readonly named: (name: string) => SchemaCheck;
  readonly inline: (schema: JsonSchema) => SchemaCheck;
}

/** Creates a compiler that loads Ajv when a schema is first compiled. */
export function createCompiler(files: readonly SchemaFile[]): SchemaCompiler {
  let ajv: Ajv2020 | undefined;
  const loaded = (): Ajv2020 => {
    ajv ??= createAjv(files, { source: false });
    return ajv;
  };
  return {
    named: (name) => named(loaded(), name),
    inline: (schema) => loaded().compile(schema),
  };
}

/**
 * Generates CommonJS modules, by file name: one for each schema file with its compiled check, and `inline.cjs`,
 * which maps the JSON text of each inline schema to the compiled check.
 */
export function generateCheckModules(
  files: readonly SchemaFile[],
  inline: readonly JsonSchema[],
): ReadonlyMap<string, string> {
  const standalone: typeof import('ajv/dist/standalone/index.js').default = load(
    'ajv/dist/standalone/index.js',
  ).default;
  const ajv = createAjv(files, { source: true });
  for (const [index, schema] of inline.entries()) ajv.addSchema(schema, `check${index}`);
  const ids = Object.fromEntries(inline.map((_, index) => [`check${index}`, `check${index}`]));
  const byJson = inline.map(
    (schema, index) => `${JSON.stringify(JSON.stringify(schema))}: exports.check${index}`,
  );
  return new Map([
    ...files.map(({ name }) => [`${name}.cjs`, standalone(ajv, named(ajv, name))] as const),
    [inlineFile, `${standalone(ajv, ids)}\nmodule.exports = {${byJson.join(',\n')}};\n`],
  ]);
}

function named(ajv: Ajv2020, name: string): ReturnType<Ajv2020['compile']> {
  const check = ajv.getSchema(idOf(name));
  if (!check) throw new Error(`specs/schemas has no ${idOf(name)}`);
  return check;
}

function idOf(name: string): string {
  return `${name}.schema.json`;
}

function createAjv(files: readonly SchemaFile[], { source }: { readonly source: boolean }): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  const formats: FormatsPlugin = load('ajv-formats');
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    code: { source },
  });
  formats(ajv);
  for (const { name, text } of files) ajv.addSchema(JSON.parse(text), idOf(name));
  return ajv;
}
