import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { packageRoot } from './package-root.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

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

/** Reads every schema of the package; throws where one is broken or refers to nothing. */
export async function loadSchemas(): Promise<Schemas> {
  const folder = join(packageRoot, 'specs', 'schemas');
  const suffix = '.schema.json';
  const names = readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .map((file) => file.slice(0, -suffix.length))
    .sort();
  const resolved = new Map<string, JsonSchema>();
  for (const name of names) {
    resolved.set(name, { ...(await $RefParser.dereference(join(folder, name + suffix))) });
  }
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
  formats.default(ajv);
  const compiled = new Map<string | JsonSchema, ValidateFunction>();

  function find(name: string): JsonSchema {
    const schema = resolved.get(name);
    if (!schema) throw new Error(`specs/schemas has no ${name}${suffix}`);
    return schema;
  }
  function compile(schema: string | JsonSchema): ValidateFunction {
    const known = compiled.get(schema);
    if (known) return known;
    const { $id: _, ...anonymous } = typeof schema === 'string' ? find(schema) : schema;
    const validate = ajv.compile(anonymous);
    compiled.set(schema, validate);
    return validate;
  }
  return {
    names,
    resolved: find,
    problems: (schema, value) => {
      const validate = compile(schema);
      return validate(value) ? [] : (validate.errors ?? []).map(problem);
    },
  };
}

function problem(error: ErrorObject): SchemaProblem {
  return {
    pointer: error.instancePath,
    keyword: error.keyword,
    message: error.message ?? `breaks ${error.keyword}`,
    params: error.params,
  };
}
