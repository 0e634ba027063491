import type { DataFile } from '../../contract/data-file.ts';
import { mapping } from '../../contract/mapping.ts';
import { suggestion } from '../../contract/nearest.ts';
import { pointerNames } from '../../contract/pointer.ts';
import {
  describeProblem,
  type JsonSchema,
  type SchemaProblem,
  type Schemas,
} from '../../contract/schemas.ts';

/** The kinds of files that users write. Each has a schema with the same name. */
type UserFile = 'profile' | 'baseline' | 'script';

/** Validates a user's file after its variables were expanded. Throws DataFileError with the line and a suggestion. */
export function validateData(file: DataFile, value: unknown, kind: UserFile, schemas: Schemas): void {
  const problems = schemas.problems(kind, value);
  const problem =
    problems.find(({ keyword }) => keyword === 'additionalProperties') ??
    problems.find(({ keyword }) => keyword === 'pattern') ??
    problems.find(({ keyword }) => keyword !== 'anyOf');
  if (!problem) return;
  const path = pointerNames(problem.pointer);
  throw file.error(
    problem.keyword === 'additionalProperties' ? [...path, String(problem.params.additionalProperty)] : path,
    describe(problem, path, kind, schemas.resolved(kind)),
  );
}

/** The value of a data file of the package. Throws DataFileError with the line of the first violation of the schema. */
export function readBySchema<T>(file: DataFile, schema: string, schemas: Schemas): T;
export function readBySchema(file: DataFile, schema: string, schemas: Schemas): unknown {
  const problems = schemas.problems(schema, file.value);
  const problem = problems.find(({ keyword }) => keyword === 'additionalProperties') ?? problems[0];
  if (!problem) return file.value;
  const path = pointerNames(problem.pointer).map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  throw file.error(path, describeProblem(problem));
}

/** What a pattern of a schema stands for, by its beginning. */
const formats: Readonly<Record<string, string>> = {
  '^(GET': 'a method and a path: GET /v1/…',
  '^(\\d{1,9}ms': 'a time: 500ms, 10s or 2m',
  '^(?![Cc]ontent-[Ll]ength': 'the name of a header, except those for the length of a body',
};

function describe(
  problem: SchemaProblem,
  path: readonly string[],
  kind: UserFile,
  schema: JsonSchema,
): string {
  const member = path.join('.');
  if (problem.keyword === 'additionalProperties') {
    const name = String(problem.params.additionalProperty);
    const known = membersAt(schema, path);
    const place = member === '' ? `A ${kind}` : `\`${member}\``;
    return `${place} has no member "${name}".${suggestion(name, known) || ` It may have: ${known.join(', ')}.`}`;
  }
  if (problem.keyword === 'false schema') {
    return `\`${member}\` can't be combined with the other members there. Remove one of them.`;
  }
  const allowed = problem.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const pattern = String(problem.params.pattern ?? '');
  const form = Object.keys(formats).find((beginning) => pattern.startsWith(beginning));
  const hint = form === undefined ? '' : ` (${formats[form]})`;
  return `${member || `the ${kind}`} ${problem.message}${list}${hint}`;
}

/** The members that the schema allows at a path. */
function membersAt(schema: JsonSchema, path: readonly string[]): string[] {
  const [head, ...rest] = path;
  const alternatives = [schema.anyOf ?? [], schema.then ?? [], schema.else ?? []].flat();
  if (head === undefined) {
    return [
      ...Object.keys(mapping(schema.properties)),
      ...alternatives.flatMap((item) => membersAt(mapping(item), [])),
    ];
  }
  const own = mapping(mapping(schema.properties)[head] ?? schema.items);
  return [...membersAt(own, rest), ...alternatives.flatMap((item) => membersAt(mapping(item), path))];
}
