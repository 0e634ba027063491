import type { DataFile } from '../catalog/data-file.ts';
import { mapping } from '../catalog/mapping.ts';
import { suggestion } from '../catalog/nearest.ts';
import type { JsonSchema, SchemaProblem, Schemas } from '../catalog/schemas.ts';

/** Holds a value of the file, its variables expanded, against the profile's schema; throws DataFileError with the line and a suggestion. */
export function holdProfile(file: DataFile, value: unknown, schemas: Schemas): void {
  const problems = schemas.problems('profile', value);
  const problem =
    problems.find(({ keyword }) => keyword === 'additionalProperties') ??
    problems.find(({ keyword }) => keyword === 'pattern') ??
    problems.find(({ keyword }) => keyword !== 'anyOf');
  if (!problem) return;
  const path = problem.pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  throw file.error(
    problem.keyword === 'additionalProperties' ? [...path, String(problem.params.additionalProperty)] : path,
    describe(problem, path.join('.'), schemas.resolved('profile')),
  );
}

function describe(problem: SchemaProblem, member: string, schema: JsonSchema): string {
  if (problem.keyword === 'additionalProperties') {
    const name = String(problem.params.additionalProperty);
    const known = membersAt(schema, member.split('.').filter(Boolean));
    const place = member === '' ? 'A profile' : `\`${member}\``;
    return `${place} has no member "${name}".${suggestion(name, known) || ` It may have: ${known.join(', ')}.`}`;
  }
  const allowed = problem.params.allowedValues;
  const list = Array.isArray(allowed) ? `: ${allowed.join(', ')}` : '';
  const line = problem.params.pattern?.toString().startsWith('^(GET')
    ? ' (a method and a path: GET /v1/…)'
    : '';
  return `${member || 'the profile'} ${problem.message}${list}${line}`;
}

/** The members that the schema allows at a path. */
function membersAt(schema: JsonSchema, path: readonly string[]): string[] {
  const [head, ...rest] = path;
  if (head === undefined) {
    const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf : [];
    return [
      ...Object.keys(mapping(schema.properties)),
      ...alternatives.flatMap((item) => membersAt(mapping(item), [])),
    ];
  }
  const own = mapping(mapping(schema.properties)[head]);
  const alternatives = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  return [...membersAt(own, rest), ...alternatives.flatMap((item) => membersAt(mapping(item), path))];
}
