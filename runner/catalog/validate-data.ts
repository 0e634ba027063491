import type { DataFile, DataPath } from '../../common/data-file.ts';
import { formatList } from '../../common/lists.ts';
import { toList, toMapping } from '../../common/mapping.ts';
import { formatSuggestion } from '../../common/nearest.ts';
import { readMember, splitPointer } from '../../common/pointer.ts';
import type { JsonSchema, SchemaProblem, Schemas } from '../../common/schemas.ts';

/** The kinds of files that users write. Each kind is the name of a schema. */
type UserFile = 'profile' | 'baseline' | 'rules';

/**
 * Validates the content of a user's file. `value` is the content. In a profile, variables must already be expanded.
 * If the content is invalid, throws a `DataFileError` with the line of one problem.
 */
export function validateData(file: DataFile, value: unknown, kind: UserFile, schemas: Schemas): void {
  const problems = schemas.problems(kind, value);
  const problem =
    problems.find(({ keyword }) => keyword === 'additionalProperties') ??
    problems.find(({ keyword }) => keyword === 'pattern') ??
    problems.find(({ reason }) => reason !== undefined) ??
    problems.find((item) => item.keyword !== 'anyOf' && !isOfOtherBranch(item, problems));
  if (!problem) return;
  if (value === null || value === undefined)
    throw file.error([], `the file contains no data. Write the ${kind} into the file.`);
  const path = splitPointer(problem.pointer);
  throw file.error(
    problem.keyword === 'additionalProperties' ? [...path, String(problem.params.additionalProperty)] : path,
    describe(problem, problems, path, kind, schemas.resolved(kind), readMember(value, problem.pointer)),
  );
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
  '^[A-Z]+$': 'an HTTP method in upper case, such as POST',
  '^[/*]': 'a path that begins with / or *',
  '^[^\\r\\n]*$': 'a single line',
};

function describe(
  problem: SchemaProblem,
  problems: readonly SchemaProblem[],
  path: readonly string[],
  kind: UserFile,
  schema: JsonSchema,
  value: unknown,
): string {
  const member = formatPath(path);
  const subject = member || `the ${kind}`;
  const { additionalProperty, allowedValues, limit, missingProperty, pattern, property } = problem.params;
  switch (problem.keyword) {
    case 'additionalProperties': {
      const name = String(additionalProperty);
      const known = membersAt(schema, path);
      const place = member === '' ? '' : ` in ${member}`;
      return `unknown property "${name}"${place}.${formatSuggestion(name, known) || ` Expected one of: ${known.join(', ')}.`}`;
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
      return `${subject} must be ${formatList([...types], 'or')}.`;
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

function membersAt(schema: JsonSchema, path: readonly string[]): string[] {
  const [head, ...rest] = path;
  const alternatives = [schema.anyOf ?? [], schema.then ?? [], schema.else ?? []].flat();
  if (head === undefined) {
    return [
      ...Object.keys(toMapping(schema.properties)),
      ...alternatives.flatMap((item) => membersAt(toMapping(item), [])),
    ];
  }
  const own = toMapping(toMapping(schema.properties)[head] ?? schema.items);
  return [...membersAt(own, rest), ...alternatives.flatMap((item) => membersAt(toMapping(item), path))];
}
