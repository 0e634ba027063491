import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSchemas } from '../../../common/schemas.ts';
import { readReport } from '../../../runner/cli/io/read-report.ts';
import { createGoldenReport } from '../../support/sample-report.ts';

const schemas = await loadSchemas();
const report = await createGoldenReport();
const [first, ...others] = report.cases;

function read(value: object): object {
  const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'r.json');
  writeFileSync(file, JSON.stringify(value));
  return readReport(file, schemas);
}

test('reads a report that satisfies the schema', () => {
  expect(read(report)).toEqual(JSON.parse(JSON.stringify(report)));
});

describe('the error for a report that violates the schema has the place and the problem', () => {
  const { tool, ...withoutTool } = report;
  test.each<[string, object, string]>([
    ['a missing property', withoutTool, 'the top level has no member "tool"'],
    [
      'an unknown member, without its name',
      { ...report, tool: { ...tool, 'sk-Secret0123456789': 1 } },
      'the value at /tool has an unknown member',
    ],
    [
      'an unknown value',
      { ...report, cases: [{ ...first, outcome: 'perhaps' }, ...others] },
      'the value at /cases/0/outcome must be one of: conforms, deviates, violates, warns, inconclusive, not-applicable',
    ],
    [
      'a wrong type',
      { ...report, durationMs: 'long' },
      'the value at /durationMs must have the type integer',
    ],
  ])('%s', (_, value, problem) => {
    expect(() => read(value)).toThrow(
      new RegExp(`r\\.json: the file is not a JSON report of this version: ${problem}\\. Create a report`),
    );
  });
});
