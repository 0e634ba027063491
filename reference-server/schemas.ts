import { readDataFile } from '../common/data-file.ts';
import { toMapping } from '../common/mapping.ts';
import { findNearestName } from '../common/nearest.ts';
import { splitPointer } from '../common/pointer.ts';
import {
  createChecks,
  findConflict,
  findProblems,
  type JsonSchema,
  readSchemaFiles,
  type SchemaCheck,
  type SchemaError,
} from '../common/schemas.ts';
import { readBySchema } from '../common/validate-data.ts';
import { isObject } from './json.ts';

/** A problem in a body: the invalid place, such as `messages[0].role`, and the expected value, such as `a string`. */
export type BodyProblem = { readonly place: string; readonly expected: string };

let checks: ReturnType<typeof createChecks> | undefined;

function checkOf(name: string): SchemaCheck {
  checks ??= createChecks();
  return checks(name);
}

function readSchema(name: string): JsonSchema {
  const file = readSchemaFiles().find((one) => one.name === name);
  return toMapping(file && JSON.parse(file.text));
}

/** Finds one place where a body violates this schema of `specs/schemas/`; undefined if the body is valid. */
export function findSchemaProblem(schema: string, body: unknown): BodyProblem | undefined {
  return findFirstProblem(checkOf(schema), body);
}

/**
 * Reads a YAML file of this package that has this schema of `specs/schemas/`. Throws a `DataFileError` if the file cannot
 * be read or is invalid.
 */
export function readValidFile<T>(path: string, schema: string): T {
  return readBySchema(readDataFile(path), schema, {
    problems: (name, value) => findProblems(checkOf(name), value),
    resolved: readSchema,
  });
}

/**
 * Validates a value with this schema of `specs/schemas/`, and returns the value. If the value is invalid, throws an
 * error whose message begins with `name` and names one invalid place.
 */
export function validateWithSchema<T>(name: string, schema: string, value: unknown): T {
  const check = checkOf(schema);
  if (conforms<T>(check, value)) return value;
  const { place, expected } = findFirstProblem(check, value) ?? { place: name, expected: 'valid' };
  const where = place === 'body' ? 'the value' : `\`${place}\``;
  throw new Error(`${name}: ${where} must be ${expected}. See specs/schemas/${schema}.schema.json.`);
}

function conforms<T>(check: SchemaCheck, value: unknown): value is T {
  return check(value);
}

function findFirstProblem(check: SchemaCheck, value: unknown): BodyProblem | undefined {
  if (check(value)) return undefined;
  const errors = check.errors ?? [];
  // An unknown property may be the mistyped name of a missing property.
  const error = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0];
  return error ? describeError(error) : { place: 'body', expected: 'valid' };
}

function describeError(error: SchemaError): BodyProblem {
  const { params } = error;
  if (error.keyword === 'required') {
    const member = String(params.missingProperty);
    const properties = isObject(error.parentSchema) ? error.parentSchema.properties : undefined;
    const schema = isObject(properties) ? properties[member] : undefined;
    const type = isObject(schema) && schema.type !== undefined ? `, and ${formatTypes(schema.type)}` : '';
    return { place: formatMemberPath(`${error.instancePath}/${member}`), expected: `present${type}` };
  }
  const place = formatMemberPath(error.instancePath);
  if (error.keyword === 'additionalProperties') {
    const { properties = {} } = isObject(error.parentSchema) ? error.parentSchema : {};
    const known = isObject(properties) ? Object.keys(properties) : [];
    const member = formatMemberPath(`${error.instancePath}/${String(params.additionalProperty)}`);
    const name = findNearestName(String(params.additionalProperty), known);
    return {
      place: member,
      expected:
        name === undefined
          ? `omitted, because the only known properties are ${known.join(', ')}`
          : `named \`${name}\``,
    };
  }
  if (error.keyword === 'false schema')
    return {
      place,
      expected: `omitted in combination with \`${findConflict(error) ?? 'the other members'}\``,
    };
  if (error.keyword === 'not' && error.parentSchema?.description !== undefined)
    return { place, expected: `omitted: ${error.parentSchema.description}` };
  if (error.keyword === 'enum' && Array.isArray(params.allowedValues))
    return { place, expected: `one of: ${params.allowedValues.join(', ')}` };
  if (error.keyword === 'dependentRequired') {
    const member = formatMemberPath(`${error.instancePath}/${String(params.missingProperty)}`);
    return { place: member, expected: `present, since \`${String(params.property)}\` is present` };
  }
  if (error.keyword === 'type') return { place, expected: formatTypes(params.type) };
  if (error.keyword === 'minLength') return { place, expected: 'a string that is not empty' };
  if (error.keyword === 'minimum') return { place, expected: `a number of at least ${String(params.limit)}` };
  if (error.keyword === 'maximum') return { place, expected: `a number of at most ${String(params.limit)}` };
  if (error.keyword === 'pattern' && /^\^\(?\\d/.test(String(params.pattern)))
    return { place, expected: 'a time such as 500ms, 10s or 2m' };
  if (error.keyword === 'minItems' || error.keyword === 'minProperties')
    return { place, expected: 'non-empty' };
  return { place, expected: `valid: the value ${error.message ?? 'violates the schema'}` };
}

function formatTypes(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((one) => (/^[aeiou]/.test(String(one)) ? `an ${one}` : `a ${one}`)).join(' or ');
}

/**
 * Formats a JSON pointer as in JavaScript: `/messages/0/role` becomes `messages[0].role`. Returns `body` for the empty
 * pointer.
 */
export function formatMemberPath(pointer: string): string {
  const path = splitPointer(pointer)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
  return path === '' ? 'body' : path;
}

/** Returns the value at a place such as `messages[0].role` or `body`; undefined if nothing is there. */
export function valueAtPlace(body: unknown, place: string): unknown {
  if (place === 'body') return body;
  return [...place.matchAll(/[^.[\]]+/g)].reduce<unknown>(
    (value, [step]) =>
      (isObject(value) || Array.isArray(value)) && Object.hasOwn(value, step)
        ? Object(value)[step]
        : undefined,
    body,
  );
}
