import { createRequire } from 'node:module';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import type { JsonSchema, SchemaCheck } from './prebuilt.ts';

// Where everything is as it was built, nothing is left to compile.
const load = createRequire(import.meta.url);

/** Makes checks of schemas. */
export type CompileSchema = (schema: JsonSchema) => SchemaCheck;

/** A compiler of schemas, which is only loaded when it has something to compile. */
export function makeCompiler(): CompileSchema {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    ajv ??= makeAjv({ source: false });
    return ajv.compile(nameless(schema));
  };
}

/** The source of a CommonJS module that is the check of the schema. */
export function checkSource(schema: JsonSchema): string {
  const ajv = makeAjv({ source: true });
  return standalone()(ajv, ajv.compile(nameless(schema)));
}

/** The source of a CommonJS module with the checks of several schemas, each exported by the text of the schema. */
export function checksSource(schemas: readonly JsonSchema[]): string {
  const ajv = makeAjv({ source: true });
  const names = schemas.map((schema, index) => {
    ajv.addSchema(nameless(schema), `check${index}`);
    return [`check${index}`, JSON.stringify(schema)] as const;
  });
  const source = standalone()(ajv, Object.fromEntries(names.map(([name]) => [name, name])));
  const byText = names.map(([name, text]) => `${JSON.stringify(text)}: exports.${name}`);
  return `${source}\nmodule.exports = {${byText.join(',\n')}};\n`;
}

function makeAjv({ source }: { readonly source: boolean }): Ajv2020 {
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = load('ajv/dist/2020.js');
  const formats: FormatsPlugin = load('ajv-formats');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    code: { source },
  });
  formats(ajv);
  return ajv;
}

function standalone(): typeof import('ajv/dist/standalone/index.js').default {
  return load('ajv/dist/standalone/index.js').default;
}

/** Names would clash where a schema is compiled twice. */
function nameless({ $id: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}
