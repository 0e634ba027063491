import { escapeLogCommands, formatOneLine } from '../../common/printable.ts';
import { describeFailedCheck } from '../view/failed-checks.ts';
import { formatResult } from '../view/result.ts';
import { listRunFailures, type RunFailure, type TestRow } from '../view/test-result.ts';
import type { View } from '../view/view.ts';
import type { TextStyle } from './reporter.ts';

/**
 * Formats the report as TAP 14. The test points are the requirements, the tested models, and the failures that
 * `listRunFailures` returns. The details of a test point are YAML.
 */
export function tap(view: View, style: Pick<TextStyle, 'strictClient'> = {}): string {
  const { report, gate, tests: rows } = view;
  const failures = listRunFailures(view, style);
  const lines = [
    'TAP version 14',
    `1..${rows.length + failures.length}`,
    `# ${formatOneLine(`${report.tool.name} ${report.tool.version}, ${report.target.baseUrl}`)}`,
    `# Model gateway: ${formatResult({ report, gate })}`,
    ...report.diagnosis.map(({ message }) => `# ${formatOneLine(message)}`),
    ...rows.flatMap((row, index) => pointLines(row, index + 1)),
    ...failures.flatMap((failure, index) => failureLines(failure, rows.length + index + 1)),
  ];
  return `${lines.join('\n')}\n`;
}

function pointLines(row: TestRow, number: number): string[] {
  const point = `${number} - ${escapeDirectives(row.name)}`;
  const first = escapeDirectives(row.reasons[0] ?? '');
  const details = (severity: string): string[] => yamlLines(severity, row.reasons, row);
  switch (row.kind) {
    case 'failed':
      return [`not ok ${point}`, ...details('fail')];
    case 'errored':
      return [`not ok ${point}`, ...details('error')];
    // A test point that is expected to fail must not fail the run, so the test point has the TAP directive TODO.
    case 'known':
      return [`not ok ${point} # TODO ${first}`, ...details('todo')];
    case 'warned':
      return [`ok ${point}`, ...details('warning')];
    case 'declared':
      return [`ok ${point}`, ...details('comment')];
    case 'skipped':
      return [`ok ${point} # SKIP ${first}`];
    case 'passed':
      return [`ok ${point}`];
  }
}

function failureLines({ type, name, message, details }: RunFailure, number: number): string[] {
  const severity = type === 'inconclusive' ? 'error' : 'fail';
  return [`not ok ${number} - ${escapeDirectives(name)}`, ...yamlLines(severity, [message, ...details])];
}

function yamlLines(
  severity: string,
  why: readonly string[],
  { examples, cases }: Pick<TestRow, 'examples' | 'cases'> = { examples: [], cases: [] },
): string[] {
  const evidence = examples.flatMap((check) => [
    `    ${quote(check.item.id)}:`,
    ...describeFailedCheck(check).map(([name, text]) => `      ${name.toLowerCase()}: ${quote(text)}`),
  ]);
  return [
    '  ---',
    `  message: ${quote(why.join('\n'))}`,
    `  severity: ${severity}`,
    ...(cases.length > 0 ? ['  cases:', ...cases.map((id) => `    - ${quote(id)}`)] : []),
    ...(evidence.length > 0 ? ['  examples:', ...evidence] : []),
    '  ...',
  ];
}

/** Escapes backslashes and number signs, so that no part of the text is a TAP directive. */
function escapeDirectives(text: string): string {
  return formatOneLine(text).replace(/[\\#]/g, '\\$&');
}

/**
 * Formats a double-quoted YAML string: JSON in which line breaks and unprintable characters of YAML are also escaped.
 */
function quote(text: string): string {
  const json = JSON.stringify(text.toWellFormed()).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return escapeLogCommands(json, 'json');
}
