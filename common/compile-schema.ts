import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';

// Ajv is loaded at its first use: loading Ajv takes longer than the rest of the start, and a prebuilt catalog does
// not need Ajv.
const load = createRequire(import.meta.url);

export type JsonSchema = { readonly [keyword: string]: unknown };

/** A problem that a validator found in a value, in the format of Ajv. */
export interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  /** The JSON pointer to the violated keyword, such as `#/dependentSchemas/text/properties/body/false schema`. */
  readonly schemaPath: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema that contains the violated keyword. */
  readonly parentSchema?: JsonSchema;
}

/**
 * A validator: returns whether a value conforms to a schema. After a result of false, `errors` contains all problems.
 */
export interface SchemaCheck {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
}

/** The name of the generated module with the validators of inline schemas, which have no file of their own. */
export const inlineFile = 'inline.cjs';

/** A file of `specs/schemas`. */
export interface SchemaFile {
  /** The file name without `.schema.json`. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Compiles schemas to validators. Both functions throw an `Error` if a schema is invalid. */
export interface SchemaCompiler {
  /** Returns the validator of a schema file. Throws an `Error` if no file has the name. */
  readonly named: (name: string) => SchemaCheck;
  /** Returns the validator of a schema that has no file of its own. */
  readonly inline: (schema: JsonSchema) => SchemaCheck;
}

/** Creates a compiler for schema files and inline schemas. Loads Ajv when a schema is first compiled. */
export function createCompiler(files: readonly SchemaFile[]): SchemaCompiler {
  let ajv: Ajv2020 | undefined;
  const getAjv = (): Ajv2020 => {
    ajv ??= createAjv(files, { source: false });
    return ajv;
  };
  return {
    named: (name) => getNamedCheck(getAjv(), name),
    inline: (schema) => getAjv().compile(schema),
  };
}

let foreign: Ajv2020 | undefined;

/**
 * Returns the validator of a schema that others wrote, for one use. Keywords and formats that Ajv does not know are ignored.
 * Throws an `Error` if the schema is invalid.
 */
export function compileForeignSchema(schema: JsonSchema): SchemaCheck {
  if (!foreign) {
    const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
    foreign = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false });
  }
  const check = foreign.compile(schema);
  foreign.removeSchema(schema);
  return check;
}

/**
 * Returns the source texts of CommonJS modules, by file name. The module of a schema file exports the validator of
 * the schema. `inline.cjs` exports an object with the validator of each inline schema, by the JSON text of the
 * schema. Throws an `Error` if a schema is invalid.
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
    ...files.map(({ name }) => [`${name}.cjs`, standalone(ajv, getNamedCheck(ajv, name))] as const),
    [inlineFile, `${standalone(ajv, ids)}\nmodule.exports = {${byJson.join(',\n')}};\n`],
  ]);
}

function getNamedCheck(ajv: Ajv2020, name: string): ReturnType<Ajv2020['compile']> {
  const check = ajv.getSchema(idOf(name));
  if (!check)
    throw new Error(`specs/schemas has no ${idOf(name)}. Add the file, or correct the name of the schema.`);
  return check;
}

function idOf(name: string): string {
  return `${name}.schema.json`;
}

/** A day of RFC 3339. Accepts February 29 in every year: a leap year is no matter of a regular expression. */
const date = String.raw`\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|[12]\d))`;
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;
/** The formats that schemas of this package use. Ajv rejects a schema with any other format. */
const formats = { date: new RegExp(`^${date}$`), 'date-time': new RegExp(`^${date}T${time}$`) };

function createAjv(files: readonly SchemaFile[], { source }: { readonly source: boolean }): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    formats,
    code: { source },
  });
  for (const { name, text } of files) ajv.addSchema(JSON.parse(text), idOf(name));
  return ajv;
}
