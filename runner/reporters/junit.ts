import XMLBuilder from 'fast-xml-builder';
import { groupBy, sum } from '../../common/lists.ts';
import { escapeLogCommands } from '../../common/printable.ts';
import type { Report } from '../report/report.ts';
import { knownStartOf } from '../view/known-start.ts';
import { formatResult } from '../view/result.ts';
import { formatTestDetails, listRunFailures, type RunFailure, type TestRow } from '../view/test-result.ts';
import type { View } from '../view/view.ts';
import type { TextStyle } from './reporter.ts';

/**
 * Formats the report as JUnit XML for CI systems: a `testcase` for each requirement and for each tested model, in a
 * `testsuite` for the first part of its name. The names are the same in every run. The suites `run`, `baseline`, `deviations` and `clients` contain the failures that
 * `listRunFailures` returns: an `error` for each failure of the type `inconclusive`, otherwise a `failure`.
 */
export function junit(view: View, style: Pick<TextStyle, 'strictClient'> = {}): string {
  const { report, tests: rows } = view;
  const failures = listRunFailures(view, style);
  const suites = groupBy(rows, ({ suite }) => suite);
  return writeXml({
    name: 'testsuites',
    attributes: {
      name: report.tool.name,
      ...counts(rows, failures),
      time: report.durationMs / 1000,
      ...timestampOf(report),
    },
    content: [
      ...suites.map(([suite, own]) => suiteElement(suite, own, view)),
      ...groupBy(failures, ({ suite }) => suite).map(([suite, own]) => failureSuite(suite, own, view)),
    ],
  });
}

function timestampOf(report: Report): { readonly timestamp?: string } {
  const start = knownStartOf(report);
  return start === undefined ? {} : { timestamp: start };
}

function suiteElement(name: string, rows: readonly TestRow[], view: View): XmlElement {
  return {
    name: 'testsuite',
    attributes: { name, ...counts(rows), time: seconds(rows), ...timestampOf(view.report) },
    content: [reportProperties(view), ...rows.map(testElement)],
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

function testElement(row: TestRow): XmlElement {
  const { name, suite, requirement } = row;
  return {
    name: 'testcase',
    attributes: { name, classname: suite, time: seconds([row]) },
    content: [
      ...(requirement
        ? [
            properties([
              ['says', requirement.says],
              ['clause', requirement.clause],
              ['level', requirement.level],
            ]),
          ]
        : []),
      ...resultElements(row),
    ],
  };
}

function resultElements(row: TestRow): XmlElement[] {
  const message = row.reasons[0] ?? '';
  const content = formatTestDetails(row);
  switch (row.kind) {
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
    case 'declared':
      return [{ name: 'system-out', content }];
    case 'passed':
      return [];
  }
}

function properties(pairs: readonly (readonly [string, string])[]): XmlElement {
  return {
    name: 'properties',
    content: pairs.map(([name, value]) => ({ name: 'property', attributes: { name, value } })),
  };
}

function counts(rows: readonly TestRow[], failures: readonly RunFailure[] = []): Record<string, number> {
  const of = (...kinds: readonly TestRow['kind'][]): number =>
    rows.filter(({ kind }) => kinds.includes(kind)).length;
  const errors = failures.filter(({ type }) => type === 'inconclusive').length;
  return {
    tests: rows.length + failures.length,
    failures: of('failed') + failures.length - errors,
    errors: of('errored') + errors,
    skipped: of('skipped', 'known'),
  };
}

function seconds(rows: readonly TestRow[]): number {
  return Math.round(sum(rows.map(({ durationMs }) => durationMs))) / 1000;
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
