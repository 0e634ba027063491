import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from './json.ts';
import type { Protocol } from './operations.ts';
import { packageRoot } from './package-root.ts';

/** One thing wrong with a body: where, as a JSON path, and what is expected there. */
export type BodyFault = { readonly place: string; readonly expected: string };

const ajv = new Ajv2020({ strict: false, verbose: true });
const compiled = new Map<Protocol, ValidateFunction>();

function validatorOf(protocol: Protocol): ValidateFunction {
  const known = compiled.get(protocol);
  if (known) return known;
  const file = join(packageRoot(), 'specs', 'schemas', `${protocol}-request.schema.json`);
  const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isObject(schema)) throw new Error(`${file}: a JSON Schema must be an object`);
  const validator = ajv.compile(schema);
  compiled.set(protocol, validator);
  return validator;
}

/** The first place at which a body breaks the request schema of its protocol; undefined where it breaks none. */
export function schemaFault(protocol: Protocol, body: unknown): BodyFault | undefined {
  const validate = validatorOf(protocol);
  if (validate(body)) return undefined;
  const [error] = validate.errors ?? [];
  return error ? describe(error) : { place: 'body', expected: 'valid' };
}

/** A checker that returns the value it was given, typed, or throws an error that names the place. */
export function checkerOf<T>(name: string, schema: object): (value: unknown) => T {
  const validate = ajv.compile<T>(schema);
  return (value) => {
    if (validate(value)) return value;
    const [error] = validate.errors ?? [];
    const fault = error ? describe(error) : { place: name, expected: 'valid' };
    throw new Error(`${name}: \`${fault.place}\` must be ${fault.expected}`);
  };
}

function describe(error: ErrorObject): BodyFault {
  const params: Record<string, unknown> = error.params;
  if (error.keyword === 'required') {
    const member = String(params.missingProperty);
    const properties = isObject(error.parentSchema) ? error.parentSchema.properties : undefined;
    const schema = isObject(properties) ? properties[member] : undefined;
    const type = isObject(schema) ? typeWords(schema.type) : 'present';
    return { place: pathOf(`${error.instancePath}/${member}`), expected: `present, and ${type}` };
  }
  const place = pathOf(error.instancePath);
  if (error.keyword === 'additionalProperties') {
    const { properties = {} } = isObject(error.parentSchema) ? error.parentSchema : {};
    const known = isObject(properties) ? Object.keys(properties).join(', ') : '';
    const member = pathOf(`${error.instancePath}/${String(params.additionalProperty)}`);
    return { place: member, expected: `left out, or one of ${known}` };
  }
  if (error.keyword === 'false schema') return { place, expected: 'left out beside the others there' };
  if (error.keyword === 'enum') return { place, expected: `one of ${String(params.allowedValues)}` };
  if (error.keyword === 'type') return { place, expected: typeWords(params.type) };
  if (error.keyword === 'minLength') return { place, expected: 'a string that is not empty' };
  if (error.keyword === 'minimum') return { place, expected: `a number of at least ${String(params.limit)}` };
  return { place, expected: `valid: it ${error.message ?? 'breaks the schema'}` };
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((one) => (/^[aeiou]/.test(String(one)) ? `an ${one}` : `a ${one}`)).join(' or ');
}

/** A JSON pointer as a reader of JavaScript would write it: `/messages/0/role` is `messages[0].role`. */
export function pathOf(pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'body' : path;
}
