import { readFileSync } from 'node:fs';
import type { Schemas } from '../../../contract/schemas.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';

/** Reads a JSON report. Throws UsageError, with the file and the place, if the report is invalid. */
export function readReport(file: string, schemas: Schemas): Report {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    // The parser's message quotes the file, which may be a key file.
    const problem = missing ? 'the file does not exist.' : 'the file cannot be read as JSON.';
    throw new UsageError(`${file}: ${problem} \`run --reporter json=FILE\` writes a report.`);
  }
  const [problem] = schemas.problems('report', value);
  if (problem || !isReport(value, schemas)) {
    const where = problem ? `: ${problem.pointer || 'the top level'} differs from the schema` : '';
    throw new UsageError(
      `${file}: the file is not a JSON report of this version${where}. \`run --reporter json=FILE\` writes one.`,
    );
  }
  return value;
}

function isReport(value: unknown, schemas: Schemas): value is Report {
  return schemas.problems('report', value).length === 0;
}
