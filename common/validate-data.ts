import type { DataFile, DataPath } from './data-file.ts';
import { formatList } from './lists.ts';
import { toList, toMapping } from './mapping.ts';
import { formatSuggestion } from './nearest.ts';
import { readMember, splitPointer } from './pointer.ts';
import type { JsonSchema, SchemaProblem, Schemas } from './schemas.ts';

interface SchemaSource {
  readonly problems: (schema: string, value: unknown) => readonly SchemaProblem[];
  readonly resolved: Schemas['resolved'];
}

/** The kinds of files that users write. Each kind is the name of a schema. */
type UserFile = 'profile' | 'baseline' | 'rules';

/**
 * Validates the content of a user's file. `value` is the content. In a profile, variables must already be expanded.
 * If the content is invalid, throws a `DataFileError` with the line of one problem.
 */
export function validateData(file: DataFile, value: unknown, kind: UserFile, schemas: Schemas): void {
  const problems = schemas.problems(kind, value);
  const problem = chooseProblem(problems);
  if (!problem) return;
  if (value === null || value === undefined)
    throw file.error([], `the file contains no data. Write the ${kind} into the file.`);
  const path = splitPointer(problem.pointer);
  throw file.error(
    [...path, ...unknownProperty(problem)],
    describe(problem, problems, path, kind, schemas.resolved(kind), readMember(value, problem.pointer)),
  );
}

/** Returns the problem that a user can correct best; undefined if a value has no problem. */
function chooseProblem(problems: readonly SchemaProblem[]): SchemaProblem | undefined {
  return (
    problems.find((problem) => unknownProperty(problem).length > 0) ??
    problems.find(({ keyword }) => keyword === 'pattern') ??
    problems.find(({ reason }) => reason !== undefined) ??
    problems.find((item) => item.keyword !== 'anyOf' && !isOfOtherBranch(item, problems))
  );
}

/** Returns the name of an unknown property in a list; empty if the problem is another one. */
function unknownProperty({ params }: SchemaProblem): string[] {
  const { additionalProperty, unevaluatedProperty } = params;
  return [additionalProperty ?? unevaluatedProperty ?? []].flat().map(String);
}

/**
 * Whether a wrong type can be ignored because another branch of the `anyOf` accepts the type of the value. In this
 * case, the value has a problem of another kind at the same place, or a problem inside the value.
 */
function isOfOtherBranch({ keyword, pointer }: SchemaProblem, problems: readonly SchemaProblem[]): boolean {
  if (keyword !== 'type') return false;
  return problems.some((other) =>
    other.pointer === pointer
      ? other.keyword !== 'type' && other.keyword !== 'anyOf'
      : other.pointer.startsWith(`${pointer}/`),
  );
}

/**
 * Returns the content of a data file of this package. Throws a `DataFileError`, with the line, if the content violates
 * the schema; with `property`, the schema of this property. Content that the build validated is not validated again.
 */
export function readBySchema<T>(file: DataFile, schema: string, schemas: SchemaSource, property?: string): T;
export function readBySchema(
  file: DataFile,
  schema: string,
  schemas: SchemaSource,
  property?: string,
): unknown {
  if (file.isPrebuilt) return file.value;
  const value = property === undefined ? file.value : { [property]: file.value };
  const problems = schemas.problems(schema, value);
  const problem = chooseProblem(problems) ?? problems[0];
  if (!problem) return file.value;
  const whole = schemas.resolved(schema);
  const own = property === undefined ? whole : toMapping(toMapping(whole.properties)[property]);
  const path = splitPointer(problem.pointer).slice(property === undefined ? 0 : 1);
  throw file.error(
    [...path, ...unknownProperty(problem)].map((name) => (/^\d+$/.test(name) ? Number(name) : name)),
    describe(problem, problems, path, 'file', own, readMember(value, problem.pointer)),
  );
}

/** Descriptions of patterns in the schemas, by the first characters of the pattern. */
const forms: Readonly<Record<string, string>> = {
  '^(GET': 'a request line (a method and a path), such as GET /v1/models',
  '^\\d+(\\.\\d+)?(ms': 'a time such as 500ms, 10s or 2m',
  '^(\\d{1,9}ms': 'a time such as 500ms, 10s or 2m',
  '^(?![Cc]ontent-[Ll]ength': 'a mapping of valid header names, without Content-Length and Transfer-Encoding',
  '^[\\t\\x20': 'a valid header value, without characters such as a line break',
  '^[A-Za-z0-9-]+$': 'the name of a header: letters, digits and dashes',
  '^(/[^/]*)+$': 'a JSON pointer, such as /data/id',
  '^(/[^/]*)*$': 'edits by JSON pointer, such as /error/type',
  '^[a-z][a-zA-Z0-9]*$':
    'a mapping of names that begin with a lower-case letter and have only letters and digits',
  '^[1-5]xx$': 'a status such as 401, or a class such as 2xx',
  '^[A-Z]+$': 'an HTTP method in upper case, such as POST',
  '^[/*]': 'a path that begins with / or *',
  '^[^\\r\\n]*$': 'a single line',
};

function describe(
  problem: SchemaProblem,
  problems: readonly SchemaProblem[],
  path: readonly string[],
  kind: UserFile | 'file',
  schema: JsonSchema,
  value: unknown,
): string {
  const member = formatPath(path);
  const subject = member || `the ${kind}`;
  const { allowedValues, limit, missingProperty, pattern, property } = problem.params;
  switch (problem.keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = unknownProperty(problem).join('');
      const known = membersAt(schema, path);
      const place = member === '' ? '' : ` in ${member}`;
      return `unknown property "${name}"${place}.${formatSuggestion(name, known) || (known.length > 0 ? ` Expected one of: ${known.join(', ')}.` : ' Remove this property.')}`;
    }
    case 'false schema':
      return problem.conflict === undefined
        ? `${subject} is not allowed here. Remove this property.`
        : `${subject} cannot be combined with ${formatPath([...path.slice(0, -1), problem.conflict])}. Remove one of the two properties.`;
    case 'not':
      return `${problem.reason ?? `${subject} ${problem.message}`}.`;
    case 'required':
      return `${subject} has no property "${String(missingProperty)}". Add this property.`;
    case 'dependentRequired':
      return `${subject} has the property "${String(property)}" but not "${String(missingProperty)}". Add "${String(missingProperty)}".`;
    case 'type': {
      const alternatives = problems.filter(
        ({ keyword, pointer }) => keyword === 'type' && pointer === problem.pointer,
      );
      const types = new Set(
        alternatives
          .flatMap(({ params: { type } }) => type)
          .map((type) => typeNames[String(type)] ?? String(type)),
      );
      if (alternatives.every(({ params: { type } }) => type === 'null') && path[0] === 'operations')
        return `${subject} can only be null, for a gateway that does not offer \`${path[1]}\`. The specification states the request of \`${path[1]}\`.`;
      const hint = isNumberForText(value, types) ? ` ${suggestText(value, schemaAt(schema, path))}` : '';
      return `${subject} must be ${formatList([...types], 'or')}.${hint}`;
    }
    case 'enum': {
      const allowed = toList(allowedValues).map(String);
      const hint = typeof value === 'string' ? formatSuggestion(value, allowed) : '';
      // The suggestion would be lost after a long list.
      if (hint !== '' && allowed.length > 20) return `${subject} is unknown.${hint}`;
      return `${subject} must be one of: ${allowed.join(', ')}.${hint}`;
    }
    case 'pattern': {
      const form = Object.keys(forms).find((beginning) => String(pattern).startsWith(beginning));
      return form === undefined ? `${subject} ${problem.message}.` : `${subject} must be ${forms[form]}.`;
    }
    case 'format':
      return `${subject} must be a date, such as 2026-12-31.`;
    case 'minimum':
      return `${subject} must be ${limit} or more.`;
    case 'maximum':
      return `${subject} must be ${limit} or less.`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `${subject} must not be empty. Add a value.`;
    case 'uniqueItems':
      return `${subject} contains a value twice. Remove one of the two values.`;
    default:
      return `${subject} ${problem.message}.`;
  }
}

const isNumberForText = (value: unknown, types: ReadonlySet<string>): value is number =>
  typeof value === 'number' && types.size === 1 && types.has('a string');

/** Suggests a text for a number: in a place for a time, with the unit that is usual in profiles. */
function suggestText(value: number, { pattern }: JsonSchema): string {
  return `Write "${value}${String(pattern).includes('(ms') ? 's' : ''}".`;
}

/** Formats a path in the notation of JavaScript: `violations[0].reason`. */
export function formatPath(path: DataPath): string {
  return path
    .map((name) => (/^\d+$/.test(String(name)) ? `[${name}]` : `.${name}`))
    .join('')
    .replace(/^\./, '');
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  null: 'empty',
  number: 'a number',
  object: 'a mapping of names to values (`name: value`)',
  string: 'a string',
};

/** Returns the names of the properties that an object at a path can have. */
function membersAt(schema: JsonSchema, path: readonly string[]): string[] {
  const objects = path.reduce(
    (at, name) =>
      alternativesOf(
        at.map((own) => childOf(own, name)),
        schema,
      ),
    alternativesOf([schema], schema),
  );
  return [...new Set(objects.flatMap(({ properties }) => Object.keys(toMapping(properties))))];
}

/** Returns schemas with their alternatives, each once, since an alternative can contain itself. */
function alternativesOf(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const all = new Set<JsonSchema>();
  const add = (schema: JsonSchema): void => {
    const own = followReference(schema, root);
    if (all.has(own)) return;
    all.add(own);
    for (const part of [own.anyOf ?? [], own.then ?? [], own.else ?? []].flat()) add(toMapping(part));
  };
  for (const schema of schemas) add(schema);
  return [...all];
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema {
  return path.reduce((at, name) => followReference(childOf(at, name), schema), schema);
}

function childOf({ properties, items, additionalProperties }: JsonSchema, name: string): JsonSchema {
  return toMapping(toMapping(properties)[name] ?? items ?? additionalProperties);
}

/** Replaces the reference to a part of the same schema, which stays in a schema that contains itself. */
function followReference(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === 'string' && $ref.startsWith('#/')
    ? toMapping(readMember(root, $ref.slice(1)))
    : schema;
}
