import { createHash } from 'node:crypto';
import { groupBy, pluralize, sum } from '../../common/lists.ts';
import { writeJson } from '../../common/write-json.ts';
import { findMostSevere, rankOf, type Severity, severities } from '../judge/severity.ts';
import type { ExchangeReport, RequirementReport } from '../report/report.ts';
import type { Cause } from '../view/causes.ts';
import { formatClauses } from '../view/clauses.ts';
import { describeCause } from '../view/describe-cause.ts';
import { formatDeviation, formatDeviationCount, type NeededDeviation } from '../view/deviations.ts';
import { type FailedRequirement, formatNotJudged } from '../view/failed-checks.ts';
import { knownStartOf } from '../view/known-start.ts';
import { listProblems } from '../view/problems.ts';
import type { View } from '../view/view.ts';

const levels = { violates: 'error', warns: 'warning' } as const;

/**
 * Formats the report as SARIF 2.1.0. The rules are the requirements. The results are the causes, the most severe first,
 * then the requirements whose failures the baseline expects, and then the failures of listed models in cases that the
 * report only counts. Problems of the run, the baseline entries and declared deviations that fail the run, and the
 * reasons for checks that were not judged are notifications. A requirement from which the gateway deviates as declared
 * is no result, since viewers would show an alert; its rule says what is declared.
 */
export function sarif(view: View): string {
  const { report, gate, causes, expected, deviations } = view;
  const rules = report.requirements;
  const ruleOf = (requirement: RequirementReport | undefined): object => ({
    ruleId: requirement?.id ?? '',
    ruleIndex: requirement ? rules.indexOf(requirement) : -1,
  });
  const exchanges = [
    ...new Set([
      ...causes.flatMap(({ example }) => example?.exchange ?? []),
      ...expected.flatMap(({ breaches }) => breaches[0]?.exchange ?? []),
    ]),
  ];
  const evidence = (exchange: ExchangeReport | undefined): object => {
    const index = exchange ? exchanges.indexOf(exchange) : -1;
    return index < 0 ? {} : { webRequest: { index }, webResponse: { index } };
  };
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
            rules: rules.map((one) => rule(one, deviations?.needed.get(one.id) ?? [])),
          },
        },
        invocations: [invocation(view)],
        webRequests: exchanges.map(webRequest),
        webResponses: exchanges.map(webResponse),
        results: [
          ...causes.map((cause) => ({
            ...ruleOf(cause.requirements[0]),
            ...resultOfCause(cause),
            ...evidence(cause.example?.exchange),
          })),
          ...expected.map((failure) => ({
            ...ruleOf(failure.requirement),
            ...resultOfExpected(failure),
            ...evidence(failure.breaches[0]?.exchange),
          })),
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

function rule(requirement: RequirementReport, needed: readonly NeededDeviation[]): object {
  const { id, clause, level, says, expects } = requirement;
  const declared = needed
    .map(({ deviation }) => ` Declared instead: ${formatDeviation(deviation)}.`)
    .join('');
  return {
    id,
    shortDescription: { text: separateBrackets(says) },
    fullDescription: { text: separateBrackets(`${says} Expected: ${expects}.${declared}`) },
    help: {
      text: separateBrackets(
        `${formatClauses(requirement).join('\n')}\n\`conformance explain ${id}\` shows how this requirement is checked.`,
      ),
    },
    defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
    properties: { tags: ['conformance', level], clauses: clause.split('; '), precision: 'very-high' },
  };
}

function resultOfCause(cause: Cause): object {
  const { id, outcome, severity, label, title, requirements, cases } = cause;
  const rows = describeCause(cause).map(([name, text]) => `${name}: ${text}`);
  return {
    kind: 'fail',
    level: levels[outcome],
    rank: sarifRank(severity),
    message: { text: separateBrackets([`${title}.`, ...rows].join('\n')) },
    locations: locations(cases),
    partialFingerprints: { primaryLocationLineHash: fingerprint(id) },
    properties: {
      severity: label,
      requirements: requirements.map((requirement) => requirement.id),
      cases: cases.length,
    },
  };
}

/** Returns the suppressed result for the failures of a requirement that the baseline expects. */
function resultOfExpected({ requirement, outcome, breaches, why }: FailedRequirement): object {
  const cases = breaches.map(({ item }) => item.id);
  const found = [...new Set(breaches.map((breach) => breach.found))].slice(0, shownFindings);
  return {
    kind: 'fail',
    level: levels[outcome],
    rank: sarifRank(findMostSevere(breaches.map(({ severity }) => severity))),
    message: {
      text: separateBrackets(
        [requirement.says, `clause: ${formatClauses(requirement).join('; ')}`, ...found].join('\n'),
      ),
    },
    locations: locations(cases),
    partialFingerprints: { primaryLocationLineHash: fingerprint(`expected ${outcome} ${requirement.id}`) },
    ...suppressedBy(why.join('; ')),
    properties: { requirements: [requirement.id], cases: cases.length },
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
    const cases = sum(own.map(({ unshown }) => unshown));
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
        locations: locations(['*/model-id=*']),
        partialFingerprints: {
          primaryLocationLineHash: fingerprint(`${requirement} ${outcome} of models${known ?? ''}`),
        },
        ...suppressedBy(known),
      },
    ];
  });
}

/** The maximum numbers of cases and of findings that a result names. */
const shownCases = 100;
const shownFindings = 3;

/**
 * Returns the locations of a result: line 1 of `conformance.yaml`, and the cases. Code scanning needs a file of the
 * repository, and a gateway has no such file.
 */
function locations(cases: readonly string[]): object[] {
  return [
    {
      physicalLocation: { artifactLocation: { uri: 'conformance.yaml' }, region: { startLine: 1 } },
      logicalLocations: cases
        .slice(0, shownCases)
        .map((fullyQualifiedName) => ({ fullyQualifiedName, kind: 'case' })),
    },
  ];
}

function suppressedBy(known: string | undefined): object {
  return known === undefined
    ? {}
    : { suppressions: [{ kind: 'external', status: 'accepted', justification: known }] };
}

/** Returns a hash of what identifies a result, which is the same in every run. */
function fingerprint(identity: string): string {
  return `${createHash('sha256').update(identity).digest('hex').slice(0, 16)}:1`;
}

/** Separates the brackets of `[text](target)` in a message, because viewers would show a link. */
function separateBrackets(text: string): string {
  return text.replaceAll('](', '] (');
}

function invocation({ report, deviations, notTested }: View): object {
  const start = knownStartOf(report);
  const { diagnosis, stopped } = report;
  const notifications = [
    ...diagnosis.map(({ message }) => ({ level: 'error', message: { text: separateBrackets(message) } })),
    ...listProblems(report).map(({ place, message }) => ({
      level: 'error',
      message: { text: separateBrackets(`${place}: ${message}`) },
    })),
    ...(deviations
      ? [{ level: 'note', message: { text: `Declared: ${formatDeviationCount(deviations)}` } }]
      : []),
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
