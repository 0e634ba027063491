import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtCheck } from './built.ts';
import { compileSchema, type SchemaCheck, type SchemaError } from './compile-schema.ts';
import { isObject } from './json.ts';
import type { Protocol } from './operations.ts';
import { packageRoot } from './package-root.ts';

/** One thing wrong with a body: where, as a JSON path, and what is expected there. */
export type BodyFault = { readonly place: string; readonly expected: string };

const checks = new Map<Protocol, SchemaCheck>();

/** The text of a schema of `specs/schemas`. */
export function schemaText(name: string): string {
  return readFileSync(join(packageRoot(), 'specs', 'schemas', `${name}.schema.json`), 'utf8');
}

/** The check of a schema of `specs/schemas`, as the build made it or as the file now says. */
export function makeCheck<T>(name: string): SchemaCheck<T> {
  const text = schemaText(name);
  return builtCheck(name, text) ?? compileSchema(JSON.parse(text));
}

function checkOf(protocol: Protocol): SchemaCheck {
  const known = checks.get(protocol);
  if (known) return known;
  const check = makeCheck<unknown>(`${protocol}-request`);
  checks.set(protocol, check);
  return check;
}

/** The first place at which a body breaks the request schema of its protocol; undefined where it breaks none. */
export function schemaFault(protocol: Protocol, body: unknown): BodyFault | undefined {
  const validate = checkOf(protocol);
  if (validate(body)) return undefined;
  const [error] = validate.errors ?? [];
  return error ? describe(error) : { place: 'body', expected: 'valid' };
}

/** The value, typed, where the check finds nothing wrong; throws an error that names the place where it does. */
export function held<T>(name: string, check: SchemaCheck<T>, value: unknown): T {
  if (check(value)) return value;
  const [error] = check.errors ?? [];
  const fault = error ? describe(error) : { place: name, expected: 'valid' };
  throw new Error(`${name}: \`${fault.place}\` must be ${fault.expected}`);
}

function describe(error: SchemaError): BodyFault {
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
