import { writeJson } from '../../common/write-json.ts';
import { knownStartOf } from '../view/known-start.ts';
import { formatResult } from '../view/result.ts';
import { formatTestDetails, listRunFailures, type RunFailure, type TestRow } from '../view/test-result.ts';
import type { View } from '../view/view.ts';
import type { TextStyle } from './reporter.ts';

type Status = 'passed' | 'failed' | 'skipped';

const statuses: Readonly<Record<TestRow['kind'], Status>> = {
  failed: 'failed',
  errored: 'failed',
  known: 'skipped',
  skipped: 'skipped',
  warned: 'passed',
  declared: 'passed',
  passed: 'passed',
};

/**
 * Formats the report in the Common Test Report Format (https://ctrf.io), which dashboards of CI systems read. The tests
 * are those of the JUnit report.
 */
export function ctrf(view: View, style: Pick<TextStyle, 'strictClient'> = {}): string {
  const { report, gate } = view;
  const tests = [...view.tests.map(testOf), ...listRunFailures(view, style).map(testOfFailure)];
  const count = (status: Status): number => tests.filter((test) => test.status === status).length;
  const start = Date.parse(knownStartOf(report) ?? '') || 0;
  return writeJson({
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    generatedBy: report.tool.name,
    results: {
      tool: { name: report.tool.name, version: report.tool.version },
      summary: {
        tests: tests.length,
        passed: count('passed'),
        failed: count('failed'),
        skipped: count('skipped'),
        pending: 0,
        other: 0,
        start,
        stop: start + report.durationMs,
        duration: report.durationMs,
      },
      tests,
      environment: {
        extra: {
          target: report.target.baseUrl,
          result: formatResult({ report, gate }),
          specRevision: report.spec.revision,
        },
      },
    },
  });
}

interface Test {
  readonly name: string;
  readonly status: Status;
  readonly duration: number;
  readonly suite: readonly string[];
  readonly rawStatus: string;
  readonly message?: string;
  readonly trace?: string;
  readonly extra?: object;
}

function testOf(row: TestRow): Test {
  const { name, suite, kind, reasons, requirement } = row;
  const [message] = reasons;
  return {
    name,
    status: statuses[kind],
    duration: Math.round(row.durationMs),
    suite: [suite],
    rawStatus: kind,
    ...(message !== undefined && { message }),
    ...(row.examples.length > 0 && { trace: formatTestDetails(row) }),
    ...(requirement && {
      extra: { says: requirement.says, clause: requirement.clause, level: requirement.level },
    }),
  };
}

function testOfFailure({ suite, type, name, message, details }: RunFailure): Test {
  return {
    name,
    status: 'failed',
    duration: 0,
    suite: [suite],
    rawStatus: type,
    message,
    ...(details.length > 0 && { trace: details.join('\n') }),
  };
}
