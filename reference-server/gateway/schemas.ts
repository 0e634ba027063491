import { pointerNames } from '../../contract/pointer.ts';
import { createChecks, type SchemaCheck, type SchemaError } from '../../contract/schemas.ts';
import { isObject } from '../json.ts';
import type { Protocol } from './operations.ts';

/** One thing wrong with a body: where, as a JSON path, and what is expected there. */
export type BodyFault = { readonly place: string; readonly expected: string };

let checks: ReturnType<typeof createChecks> | undefined;

/** The check of a schema of `specs/schemas`. */
function checkOf(name: string): SchemaCheck {
  checks ??= createChecks();
  return checks(name);
}

/** The first place at which a body violates the request schema of its protocol; undefined if it is valid. */
export function schemaFault(protocol: Protocol, body: unknown): BodyFault | undefined {
  return firstFault(checkOf(`${protocol}-request`), body);
}

/** The value, typed, if it conforms to the schema. Throws an error with the name and the place of its first problem otherwise. */
export function validated<T>(name: string, schema: string, value: unknown): T {
  const check = checkOf(schema);
  if (conforms<T>(check, value)) return value;
  const { place, expected } = firstFault(check, value) ?? { place: name, expected: 'valid' };
  throw new Error(`${name}: \`${place}\` must be ${expected}`);
}

function conforms<T>(check: SchemaCheck, value: unknown): value is T {
  return check(value);
}

function firstFault(check: SchemaCheck, value: unknown): BodyFault | undefined {
  if (check(value)) return undefined;
  const [error] = check.errors ?? [];
  return error ? describe(error) : { place: 'body', expected: 'valid' };
}

function describe(error: SchemaError): BodyFault {
  const { params } = error;
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
  return { place, expected: `valid: it ${error.message ?? 'violates the schema'}` };
}

function typeWords(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((one) => (/^[aeiou]/.test(String(one)) ? `an ${one}` : `a ${one}`)).join(' or ');
}

/** A JSON pointer as a reader of JavaScript would write it: `/messages/0/role` is `messages[0].role`. */
export function pathOf(pointer: string): string {
  const path = pointerNames(pointer)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'body' : path;
}
