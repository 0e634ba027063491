import XMLBuilder from 'fast-xml-builder';
import { groupBy } from '../../common/lists.ts';
import { escapeLogCommands } from '../../common/printable.ts';
import type { CaseReport, Report } from '../report/report.ts';
import { describeFailedCheck } from '../view/failed-checks.ts';
import type { FailedCheck } from '../view/failures.ts';
import { knownStartOf } from '../view/known-start.ts';
import { formatResult } from '../view/result.ts';
import {
  formatReasons,
  listRunFailures,
  type RunFailure,
  type TestResult,
  type TestRow,
} from '../view/test-result.ts';
import type { View } from '../view/view.ts';
import type { TextStyle } from './reporter.ts';

/**
 * Formats the report as JUnit XML for CI systems: a `testsuite` for each suite, and a `testcase` for each case of the
 * suites and for each tested model. The suites `run`, `baseline` and `clients` contain the failures that
 * `listRunFailures` returns: an `error` for each failure of the type `inconclusive`, otherwise a `failure`.
 */
export function junit(view: View, style: Pick<TextStyle, 'strictClient'> = {}): string {
  const { report, tests: rows } = view;
  const failures = listRunFailures(view, style);
  const suites = [...new Set(rows.map(({ item }) => item.suite))];
  return writeXml({
    name: 'testsuites',
    attributes: {
      name: report.tool.name,
      ...counts(rows, failures),
      time: report.durationMs / 1000,
      ...timestampOf(report),
    },
    content: [
      ...suites.map((suite) => suiteElement(suite, rows, view)),
      ...groupBy(failures, ({ suite }) => suite).map(([suite, own]) => failureSuite(suite, own, view)),
    ],
  });
}

function timestampOf(report: Report): { readonly timestamp?: string } {
  const start = knownStartOf(report);
  return start === undefined ? {} : { timestamp: start };
}

function suiteElement(suite: string, rows: readonly TestRow[], view: View): XmlElement {
  const { report } = view;
  const own = rows.filter(({ item }) => item.suite === suite);
  const clauses = new Map(report.requirements.map(({ id, clause }) => [id, clause]));
  return {
    name: 'testsuite',
    attributes: {
      name: suite,
      ...counts(own),
      time: seconds(own.map(({ item }) => item)),
      ...timestampOf(report),
    },
    content: [reportProperties(view), ...own.map((row) => caseElement(row, clauses))],
  };
}

function failureSuite(suite: string, failures: readonly RunFailure[], view: View): XmlElement {
  return {
    name: 'testsuite',
    attributes: { name: suite, ...counts([], failures), time: 0, ...timestampOf(view.report) },
    content: [
      reportProperties(view),
      ...failures.map(
        ({ name, type, message, details }): XmlElement => ({
          name: 'testcase',
          attributes: { name, classname: suite, time: 0 },
          content: [
            {
              name: type === 'inconclusive' ? 'error' : 'failure',
              attributes: { type, message },
              content: [message, ...details].join('\n'),
            },
          ],
        }),
      ),
    ],
  };
}

function reportProperties({ report, gate }: View): XmlElement {
  return properties([
    ['target', report.target.baseUrl],
    ['result', formatResult({ report, gate })],
    ['tool', `${report.tool.name} ${report.tool.version}`],
    ['spec-revision', report.spec.revision],
  ]);
}

function caseElement(row: TestRow, clauses: ReadonlyMap<string, string>): XmlElement {
  const { item } = row;
  return {
    name: 'testcase',
    attributes: { name: item.id, classname: item.suite, time: seconds([item]) },
    content: [
      properties(
        item.checks.flatMap(({ requirement }): [string, string][] => [
          ['requirement', requirement],
          ['clause', clauses.get(requirement) ?? ''],
        ]),
      ),
      ...resultElements(row),
    ],
  };
}

function resultElements({ result, failedChecks }: TestRow): XmlElement[] {
  const lines = formatReasons(result);
  const message = lines[0] ?? '';
  const content =
    failedChecks.length === 0 ? lines.join('\n') : failedChecks.map(formatEvidence).join('\n\n');
  switch (result.kind) {
    case 'failed':
      return [{ name: 'failure', attributes: { type: 'violates', message }, content }];
    case 'errored':
      return [{ name: 'error', attributes: { type: 'inconclusive', message }, content }];
    case 'known':
      return [
        { name: 'skipped', attributes: { message } },
        { name: 'system-out', content },
      ];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message } }];
    case 'warned':
      return [{ name: 'system-out', content }];
    case 'passed':
      return [];
  }
}

function formatEvidence(breach: FailedCheck): string {
  return [
    breach.requirement.id,
    ...describeFailedCheck(breach).map(([name, text]) => `${name.padEnd(9)} ${text}`),
  ].join('\n');
}

function properties(pairs: readonly (readonly [string, string])[]): XmlElement {
  return {
    name: 'properties',
    content: pairs.map(([name, value]) => ({ name: 'property', attributes: { name, value } })),
  };
}

function counts(rows: readonly TestRow[], failures: readonly RunFailure[] = []): Record<string, number> {
  const of = (...kinds: readonly TestResult['kind'][]): number =>
    rows.filter(({ result }) => kinds.includes(result.kind)).length;
  const errors = failures.filter(({ type }) => type === 'inconclusive').length;
  return {
    tests: rows.length + failures.length,
    failures: of('failed') + failures.length - errors,
    errors: of('errored') + errors,
    skipped: of('skipped', 'known'),
  };
}

function seconds(cases: readonly CaseReport[]): number {
  return Math.round(cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)) / 1000;
}

interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly content?: string | readonly XmlElement[];
}

/** Characters that XML 1.0 does not allow, even as character references. */
const invalidInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/**
 * Invisible characters and characters that change the direction of text. XML allows these characters as character
 * references.
 */
const unseenInXml = /[\r\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

const builder = new XMLBuilder({
  preserveOrder: true,
  format: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  // With this option, the builder would also escape quotation marks in texts, which would make the texts hard to read.
  processEntities: false,
});

/** Returns an XML 1.0 document. Characters that XML does not allow become U+FFFD. */
function writeXml(root: XmlElement): string {
  const declaration = { '?xml': [], ':@': { version: '1.0', encoding: 'UTF-8' } };
  return `${escapeLogCommands(builder.build([declaration, toBuilderNode(root)]), 'xml')}\n`;
}

function toBuilderNode({ name, attributes = {}, content = [] }: XmlElement): object {
  return {
    [name]: typeof content === 'string' ? textOf(content) : content.map(toBuilderNode),
    ':@': Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [
        key,
        escapeText(String(value)).replaceAll('"', '&quot;'),
      ]),
    ),
  };
}

function textOf(content: string): object[] {
  return content === '' ? [] : [{ '#text': escapeText(content) }];
}

function escapeText(text: string): string {
  return text
    .replace(invalidInXml, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(unseenInXml, (letter) => `&#${letter.codePointAt(0)};`);
}
