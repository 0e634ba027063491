import type { CaseReport, Report } from './report.ts';

/** The report in the JUnit form that CI systems read: a suite for each suite file, a test case for each case. */
export function junit(report: Report): string {
  const suites = [...new Set(report.cases.map((item) => item.suite))];
  const { cases } = report.summary;
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeXml(report.tool.name)}" tests="${cases.planned}" failures="${cases.violates}" errors="${cases.inconclusive}" skipped="${cases.notApplicable}" time="${report.durationMs / 1000}">`,
    ...suites.flatMap((suite) => suiteLines(suite, report)),
    '</testsuites>',
  ];
  return `${lines.join('\n')}\n`;
}

function suiteLines(suite: string, report: Report): string[] {
  const own = report.cases.filter((item) => item.suite === suite);
  const of = (outcome: CaseReport['outcome']): number =>
    own.filter((item) => item.outcome === outcome).length;
  const clauses = new Map(report.requirements.map((item) => [item.id, item.clause]));
  return [
    `  <testsuite name="${escapeXml(suite)}" tests="${own.length}" failures="${of('violates')}" errors="${of('inconclusive')}" skipped="${of('not-applicable')}" timestamp="${report.startedAt}" time="${seconds(own)}">`,
    ...own.flatMap((item) => caseLines(item, clauses)),
    '  </testsuite>',
  ];
}

function caseLines(item: CaseReport, clauses: ReadonlyMap<string, string>): string[] {
  const properties = item.obligations.flatMap(({ requirement }) => [
    `        <property name="requirement" value="${escapeXml(requirement)}"/>`,
    `        <property name="clause" value="${escapeXml(clauses.get(requirement) ?? '')}"/>`,
  ]);
  return [
    `    <testcase name="${escapeXml(item.id)}" classname="${escapeXml(item.suite)}" time="${seconds([item])}">`,
    '      <properties>',
    ...properties,
    '      </properties>',
    ...resultLines(item),
    '    </testcase>',
  ];
}

function resultLines(item: CaseReport): string[] {
  const of = item.obligations.filter(({ outcome }) => outcome === item.outcome);
  const text = of.map(
    ({ requirement, findings, reason }) =>
      `${requirement}: ${findings.map(({ message }) => message).join('; ') || reason}`,
  );
  const message = escapeXml(text[0] ?? '');
  const shown = new Set(of.flatMap(({ findings }) => findings.map(({ exchange }) => exchange)));
  const evidence = item.exchanges
    .filter(({ id }) => shown.has(id))
    .flatMap(({ traceId, curl }) => [...(traceId === null ? [] : [`trace id ${traceId}`]), curl]);
  const detail = escapeXml([...text, ...evidence].join('\n'));
  switch (item.outcome) {
    case 'violates':
      return [`      <failure type="violates" message="${message}">${detail}</failure>`];
    case 'inconclusive':
      return [`      <error type="inconclusive" message="${message}">${detail}</error>`];
    case 'not-applicable':
      return [`      <skipped message="${message}"/>`];
    case 'warns':
      return [`      <system-out>${detail}</system-out>`];
    case 'conforms':
      return [];
  }
}

function seconds(cases: readonly CaseReport[]): number {
  const total = cases
    .flatMap((item) => item.exchanges)
    .reduce((sum, exchange) => sum + exchange.durationMs, 0);
  return Math.round(total) / 1000;
}

/** Escapes a text for XML 1.0, whose documents may not have most control characters at all. */
function escapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return (
    text
      .toWellFormed()
      .replace(/[&<>"']/g, (letter) => entities[letter] ?? letter)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stay
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
  );
}
