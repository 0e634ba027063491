import { readFileSync } from 'node:fs';
import { describeReadError } from '../../../common/data-file.ts';
import { formatList } from '../../../common/lists.ts';
import type { SchemaProblem, Schemas } from '../../../common/schemas.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';

/**
 * Reads a JSON report from a file. Throws a `UsageError`, with the file, if the file cannot be read or is not a valid
 * report.
 */
export function readReport(file: string, schemas: Schemas): Report {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== undefined && code !== 'ENOENT') throw new UsageError(`${file}: ${describeReadError(error)}`);
    // The message of the parser quotes the file, which may be a key file.
    const problem = code === 'ENOENT' ? 'the file does not exist.' : 'the file is not valid JSON.';
    throw new UsageError(
      `${file}: ${problem} Create a report with \`conformance run --reporter json=FILE\`.`,
    );
  }
  const problems = schemas.problems('report', value);
  // The version explains the other problems.
  const problem = problems.find(({ pointer }) => pointer === '/schemaVersion') ?? problems[0];
  if (problem || !isReport(value, schemas)) {
    const where = problem ? `: ${describeViolation(problem)}` : '';
    throw new UsageError(
      `${file}: the file is not a JSON report of this version${where}. Create a report with \`conformance run --reporter json=FILE\`.`,
    );
  }
  return value;
}

/** Describes a violation of the schema without values and unknown names from the file, which may be a key file. */
function describeViolation({ pointer, keyword, message, params }: SchemaProblem): string {
  const place = pointer === '' ? 'the top level' : `the value at ${pointer}`;
  const { allowedValue, allowedValues, missingProperty, type } = params;
  switch (keyword) {
    case 'required':
      return `${place} has no member "${String(missingProperty)}"`;
    case 'additionalProperties':
      return `${place} has an unknown member`;
    case 'const':
      return `${place} must be ${String(allowedValue)}`;
    case 'enum':
      return `${place} must be one of: ${Array.isArray(allowedValues) ? allowedValues.join(', ') : ''}`;
    case 'type':
      return `${place} must have the type ${formatList([type].flat().map(String), 'or')}`;
    default:
      return `${place} ${message}`;
  }
}

function isReport(value: unknown, schemas: Schemas): value is Report {
  return schemas.problems('report', value).length === 0;
}
