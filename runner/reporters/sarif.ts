import { createHash } from 'node:crypto';
import { groupBy, pluralize } from '../../common/lists.ts';
import { writeJson } from '../../common/write-json.ts';
import { rankOf, type Severity, severities } from '../judge/severity.ts';
import type { ExchangeReport, RequirementReport } from '../report/report.ts';
import { formatClauses } from '../view/clauses.ts';
import { describeFailedCheck, formatNotJudged } from '../view/failed-checks.ts';
import type { FailedCheck } from '../view/failures.ts';
import { knownStartOf } from '../view/known-start.ts';
import type { View } from '../view/view.ts';

const levels = { violates: 'error', warns: 'warning' } as const;

/**
 * Formats the report as SARIF 2.1.0. The rules are the requirements. The results are the failed checks, the most
 * severe first, and then the failures of listed models in cases that the report only counts. Problems of the run,
 * the baseline entries that fail the run, and the reasons for checks that were not judged are notifications.
 */
export function sarif(view: View): string {
  const { report, gate } = view;
  const order = new Map(report.requirements.map((requirement, index) => [requirement, index]));
  const breaches = [...view.failedChecks].sort(
    (a, b) =>
      rankOf(a.severity) - rankOf(b.severity) ||
      (order.get(a.requirement) ?? 0) - (order.get(b.requirement) ?? 0),
  );
  const exchanges = [...new Set(breaches.flatMap(({ exchange }) => (exchange ? [exchange] : [])))];
  const rules = report.requirements;
  return writeJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: report.tool.name,
            version: report.tool.version,
            semanticVersion: report.tool.version,
            rules: rules.map(rule),
          },
        },
        invocations: [invocation(view)],
        webRequests: exchanges.map(webRequest),
        webResponses: exchanges.map(webResponse),
        results: [
          ...breaches.map((breach) =>
            result(
              breach,
              order.get(breach.requirement) ?? -1,
              breach.exchange && exchanges.indexOf(breach.exchange),
            ),
          ),
          ...unshownResults(view),
        ],
        columnKind: 'utf16CodeUnits',
        properties: {
          target: report.target.baseUrl,
          verdict: report.verdict,
          result: gate.result,
          'spec-revision': report.spec.revision,
        },
      },
    ],
  });
}

function rule(requirement: RequirementReport): object {
  const { id, clause, level, says, expects } = requirement;
  return {
    id,
    shortDescription: { text: separateBrackets(says) },
    fullDescription: { text: separateBrackets(`${says} Expected: ${expects}.`) },
    help: {
      text: separateBrackets(
        `${formatClauses(requirement).join('\n')}\n\`conformance explain ${id}\` shows how this requirement is checked.`,
      ),
    },
    defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
    properties: { tags: ['conformance', level], clauses: clause.split('; '), precision: 'very-high' },
  };
}

function result(breach: FailedCheck, ruleIndex: number, exchangeIndex: number | undefined): object {
  const { requirement, item, outcome, severity, known } = breach;
  return {
    ruleId: requirement.id,
    ruleIndex,
    kind: 'fail',
    level: levels[outcome],
    rank: sarifRank(severity),
    message: { text: separateBrackets(messageOf(breach)) },
    locations: locations(item.id),
    partialFingerprints: { primaryLocationLineHash: fingerprint(requirement.id, item.id) },
    ...suppressedBy(known),
    ...(exchangeIndex !== undefined && {
      webRequest: { index: exchangeIndex },
      webResponse: { index: exchangeIndex },
    }),
    properties: Object.fromEntries(
      describeFailedCheck(breach).map(([name, text]) => [name.toLowerCase(), text]),
    ),
  };
}

/** Converts a severity to a SARIF rank from 10 to 100. The rank 100 is the most severe. */
function sarifRank(severity: Severity): number {
  return 100 - Math.round((90 * (rankOf(severity) - 1)) / (severities.length - 1));
}

/**
 * Returns a result for each combination of a requirement that listed models violate, its outcome and its baseline
 * reason, in cases that the report only counts.
 */
function unshownResults({ report, modelFailures }: View): object[] {
  const unshown = modelFailures.filter((breach) => breach.unshown > 0);
  return groupBy(unshown, ({ requirement, outcome, known }) =>
    JSON.stringify([requirement, outcome, known]),
  ).flatMap(([, own]) => {
    const [first] = own;
    if (!first) return [];
    const { requirement, outcome, known } = first;
    const cases = own.reduce((sum, breach) => sum + breach.unshown, 0);
    const models = own.map(({ model }) => model).join(', ');
    return [
      {
        ruleId: requirement,
        ruleIndex: report.requirements.findIndex(({ id }) => id === requirement),
        kind: 'fail',
        level: levels[outcome],
        message: {
          text: separateBrackets(
            `Violated in ${pluralize(cases, 'more case')} of ${pluralize(own.length, 'listed model')}: ${models}`,
          ),
        },
        locations: locations(`*/model-id=*`),
        partialFingerprints: {
          primaryLocationLineHash: fingerprint(requirement, `${outcome} of models${known ?? ''}`),
        },
        ...suppressedBy(known),
      },
    ];
  });
}

/**
 * Returns the locations of a result: the case, and line 1 of `conformance.yaml`. Code scanning needs a file of the
 * repository, and a gateway has no such file.
 */
function locations(item: string): object[] {
  return [
    {
      physicalLocation: { artifactLocation: { uri: 'conformance.yaml' }, region: { startLine: 1 } },
      logicalLocations: [{ fullyQualifiedName: item, kind: 'case' }],
    },
  ];
}

function suppressedBy(known: string | undefined): object {
  return known === undefined
    ? {}
    : { suppressions: [{ kind: 'external', status: 'accepted', justification: known }] };
}

function messageOf(breach: FailedCheck): string {
  const shown = ['clause', 'expected', 'look at', 'time', 'trace ID', 'curl'];
  const rows = describeFailedCheck(breach).filter(([name]) => shown.includes(name));
  return [breach.found, `case: ${breach.item.id}`, ...rows.map(([name, text]) => `${name}: ${text}`)].join(
    '\n',
  );
}

/** Returns a hash of a requirement and a case, which is the same in every run. */
function fingerprint(requirement: string, item: string): string {
  return `${createHash('sha256').update(`${requirement}\n${item}`).digest('hex').slice(0, 16)}:1`;
}

/** Separates the brackets of `[text](target)` in a message, because viewers would show a link. */
function separateBrackets(text: string): string {
  return text.replaceAll('](', '] (');
}

function invocation({ report, notTested }: View): object {
  const start = knownStartOf(report);
  const { baseline, diagnosis, stopped } = report;
  const notifications = [
    ...diagnosis.map(({ message }) => ({ level: 'error', message: { text: separateBrackets(message) } })),
    ...(baseline?.problems ?? []).map(({ line, message }) => ({
      level: 'error',
      message: { text: separateBrackets(`${baseline?.file}:${line}: ${message}`) },
    })),
    ...notTested.map((entry) => ({
      level: entry.outcome === 'inconclusive' ? 'warning' : 'note',
      message: { text: separateBrackets(formatNotJudged(entry)) },
    })),
  ];
  return {
    executionSuccessful: stopped === null,
    ...(start !== undefined && {
      startTimeUtc: start,
      endTimeUtc: new Date(Date.parse(start) + report.durationMs).toISOString(),
    }),
    toolExecutionNotifications: notifications,
  };
}

function webRequest({ request }: ExchangeReport): object {
  const { method, url, headers, body } = request;
  return {
    protocol: 'HTTP',
    version: '1.1',
    method,
    target: url,
    headers,
    ...(body && { body: { text: body.text } }),
  };
}

function webResponse({ response }: ExchangeReport): object {
  if (!response) return { noResponseReceived: true };
  const { status, headers, body } = response;
  return { protocol: 'HTTP', version: '1.1', statusCode: status, headers, body: { text: body.text } };
}
