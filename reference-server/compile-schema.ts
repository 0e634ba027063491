import { createRequire } from 'node:module';
import type { Ajv2020, ErrorObject } from 'ajv/dist/2020.js';

/** What is wrong with a value, with the schema that it breaks. */
export type SchemaError = ErrorObject;

/** A check of a value against a schema; after it failed, `errors` has what is wrong first. */
export type SchemaCheck<T = unknown> = {
  (value: unknown): value is T;
  readonly errors?: readonly SchemaError[] | null;
};

// Where everything is as it was built, nothing is left to compile.
const load = createRequire(import.meta.url);
let interpreting: Ajv2020 | undefined;

/** The check of a schema. */
export function compileSchema<T>(schema: object): SchemaCheck<T> {
  interpreting ??= makeAjv({ source: false });
  return interpreting.compile<T>(schema);
}

/** The source of a CommonJS module that is the check of the schema. */
export function checkSource(schema: object): string {
  const ajv = makeAjv({ source: true });
  const standalone: typeof import('ajv/dist/standalone/index.js').default = load(
    'ajv/dist/standalone/index.js',
  ).default;
  return standalone(ajv, ajv.compile(schema));
}

function makeAjv({ source }: { readonly source: boolean }): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  return new Ajv2020({ strict: false, verbose: true, code: { source } });
}
