import { type Cause, causesOf } from '../report/causes/causes.ts';
import { headlinesOf } from '../report/causes/headlines.ts';
import { outcomeVerbs, severityLabels } from '../report/causes/severity.ts';
import type { Example, SymptomGroup } from '../report/causes/symptom-groups.ts';
import { formatExpectedChecks, type OverallResult, overallResultOf } from '../report/exit-code.ts';
import {
  collectFailedChecks,
  collectNotJudged,
  type FailedRequirement,
  formatNotJudged,
  groupFailedChecks,
} from '../report/failed-checks.ts';
import {
  brokenDuties,
  countCause,
  formatBillable,
  formatBroken,
  formatBrokenStreams,
  formatExchanges,
  formatInconclusiveIds,
  formatRequests,
} from '../report/format-counts.ts';
import { formatAnswer, formatClauses } from '../report/format-value.ts';
import { formatModelCounts, formatModels, groupModels } from '../report/group-models.ts';
import type { Report, RequirementReport } from '../report/report.ts';
import type { Counts } from '../report/report-sections.ts';
import { pluralize } from '../text/lists.ts';
import { code, codeBlock, prose, section } from '../text/markdown-text.ts';
import { oneLine } from '../text/printable.ts';
import { sdkTableBlocks } from './markdown-sdk-table.ts';

/**
 * Formats the report as Markdown for a comment on a pull request or a job summary. The length of each section is
 * limited.
 */
export function markdown(report: Report): string {
  const breaches = collectFailedChecks(report);
  const causes = causesOf(report);
  const of = (outcome: Cause['outcome']): string[] =>
    causes.filter((cause) => cause.outcome === outcome).map(causeBlock);
  const known = groupFailedChecks(breaches, { outcome: 'violates', known: true });
  const { baseline } = report;
  const blocks = [
    head(report, headlinesOf(report, causes)),
    ...sdkTableBlocks(report),
    ...section(
      'Problems during the run',
      4_000,
      report.diagnosis.map(({ message }) => `- ${code(message, 500)}`),
    ),
    ...section(
      'Baseline entries that fail the run',
      5_000,
      (baseline?.problems ?? []).map(
        ({ line, message }) => `- ${code(`${baseline?.file}:${line}`)}: ${code(message)}`,
      ),
    ),
    ...section('Failed', 20_000, of('violates')),
    ...section('Warnings', 8_000, of('warns')),
    ...section('Expected by the baseline', 5_000, known.map(expectedItem)),
    ...section(
      'Unstable: passed in one round and failed in another',
      3_000,
      report.cases.filter((item) => item.unstable).map((item) => `- ${code(item.id)}`),
    ),
    ...section('Listed models', 5_000, models(report)),
    ...section('Not tested', 5_000, notJudgedItems(report)),
    ...section('Recorded traffic', 4_000, traffic(report)),
    ...section('Clients, not part of the verdict on the gateway', 5_000, client(report)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const titles: Readonly<Record<OverallResult, string>> = {
  conforms: '✅ The gateway conforms',
  violates: '❌ The gateway violates the specification',
  'as-expected': '✅ The gateway passed',
  'baseline-outdated': '❌ The baseline of the gateway is stale',
  inconclusive: '❔ The result is inconclusive',
};

function head(report: Report, headlines: readonly string[]): string {
  const { target, summary, durationMs, stopped, tool } = report;
  const result = overallResultOf(report);
  const inconclusive = formatInconclusiveIds(report);
  const billable = formatBillable(report);
  return [
    `## ${titles[result]}${result === 'as-expected' ? ` with ${formatExpectedChecks(report)} (baseline)` : ''}`,
    '',
    `${code(target.baseUrl)}, ${formatRequests(report)} in ${(durationMs / 1000).toFixed(1)} s${billable === '' ? '' : ` (billable: ${billable})`}, tested by ${code(`${tool.name} ${tool.version}`)}`,
    ...(stopped
      ? [
          '',
          `**Not everything was ${stopped.kind === 'recording' || stopped.kind === 'missing' ? 'read' : 'sent'}:** ${code(stopped.reason)}`,
        ]
      : []),
    ...(inconclusive === '' ? [] : ['', `**Inconclusive:** ${code(inconclusive)}`]),
    ...(headlines.length > 0
      ? ['', headlines.map((headline) => `> **${prose(headline)}**`).join('\n>\n')]
      : []),
    '',
    '| | planned | passed | failed | warned | inconclusive | not applicable |',
    '|---|--:|--:|--:|--:|--:|--:|',
    countsRow('requirements', summary.requirements),
    countsRow('cases', summary.cases),
  ].join('\n');
}

function countsRow(name: string, counts: Counts): string {
  const { planned, conforms, violates, warns, inconclusive, notApplicable } = counts;
  return `| ${[name, planned, conforms, violates, warns, inconclusive, notApplicable].join(' | ')} |`;
}

/** The maximum number of cases that are shown for one symptom. */
const shownCases = 3;
/** The maximum numbers of symptoms and requirements that are shown for one cause. */
const shownFindings = 3;
const shownRequirements = 20;
const longestCurl = 3_000;

function causeBlock(cause: Cause): string {
  const { outcome, title, severity, lookAt, requirements, symptoms, example } = cause;
  const rest = symptoms.length - shownFindings;
  return [
    `#### ${prose(title)}`,
    `${severityLabels[severity]}, ${countCause(cause)}. Look first at ${prose(lookAt)}.`,
    ...quotes(example?.requirement ?? requirements[0]),
    [
      ...(example
        ? [
            `- expected: ${prose(example.requirement.expects, 500)}`,
            `- received: ${code(formatAnswer(example.exchange, longestExcerpt), 500)}`,
          ]
        : []),
      `- ${outcomeVerbs[outcome].toLowerCase()}: ${list(
        requirements.map((requirement) => requirement.id),
        shownRequirements,
      )}`,
      ...symptoms.slice(0, shownFindings).map(finding),
      ...(rest > 0 ? [`- and ${pluralize(rest, 'more symptom')}`] : []),
    ].join('\n'),
    ...exampleBlocks(example),
  ].join('\n\n');
}

function quotes(requirement: RequirementReport | undefined): string[] {
  if (!requirement) return [];
  const lines = formatClauses(requirement).slice(0, 2);
  return [lines.map((line) => `> ${prose(line, longestExcerpt)}`).join('\n>\n')];
}

function finding({ message, seen, requirements, cases }: SymptomGroup): string {
  const said = requirements.length > 1 ? seen : message;
  return `- ${code(said, 500)} in ${pluralize(cases.length, 'case')}: ${list(cases, shownCases)}`;
}

function list(ids: readonly string[], most: number): string {
  const rest = ids.length - most;
  const shown = ids.slice(0, most).map((id) => code(id));
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const longestExcerpt = 300;

function exampleBlocks(example: Example | undefined): string[] {
  if (!example) return [];
  const { exchange, requirement } = example;
  const curl = oneLine(exchange.curl);
  const rows = [
    `- requirement: ${code(requirement.id)}`,
    `- exchange: ${code(exchange.id)}`,
    `- time: ${code(exchange.startedAt)}`,
    ...(exchange.traceId === null ? [] : [`- trace ID: ${code(exchange.traceId)}`]),
  ];
  return [
    '<details><summary>Request</summary>',
    rows.join('\n'),
    curl.length > longestCurl
      ? `The curl line has ${curl.length} characters and is not shown. The JSON report contains it.`
      : codeBlock('sh', curl),
    '</details>',
  ];
}

function expectedItem({ requirement, breaches }: FailedRequirement): string {
  const why = [...new Set(breaches.map(({ known }) => known ?? ''))];
  return `- ${code(requirement.id)}, ${pluralize(breaches.length, 'case')}: ${code(why.join('; '))}`;
}

function models(report: Report): string[] {
  if (!report.models) return [];
  const groups = groupModels(report).map((group) => {
    const { outcome, known, requirements } = group;
    const kind = `${outcome === 'violates' ? 'failed' : 'warned'}${known ? ', as the baseline expects' : ''}`;
    return `- ${formatModels(group, code)}: ${kind}: ${list(requirements, shownRequirements)}`;
  });
  return [`- ${prose(formatModelCounts(report.models))}`, ...groups];
}

function traffic({ recording }: Report): string[] {
  if (!recording) return [];
  const open = recording.notJudged.map(
    ({ reason, count, example }) => `- ${count} not judged: ${code(reason)} Example: ${code(example)}`,
  );
  const broken = Object.entries(recording.brokenStreams ?? {}).map(
    ([by, { count, example }]) => `- ${formatBrokenStreams(by, count)} Example: ${code(example)}`,
  );
  const learned = (recording.learned ?? []).map(
    ({ path, value, because }) => `- Inferred ${code(`${path}: ${value}`)}. ${prose(because)}`,
  );
  return [`- ${formatExchanges(recording)}`, ...open, ...broken, ...learned];
}

function client({ recording }: Report): string[] {
  if (!recording?.client) return [];
  const broken = brokenDuties(recording).map((duty) => {
    const [first] = duty.findings;
    const example = first ? ` For example, ${code(first.exchange)}: ${code(first.message)}` : '';
    const level = duty.level === 'observe' ? 'observation' : duty.level;
    return `- ${code(duty.id)} (${level}), ${formatBroken(duty)}: ${prose(duty.says)}${example}`;
  });
  return broken.length > 0 ? broken : ['- No duty was violated.'];
}

function notJudgedItems(report: Report): string[] {
  return collectNotJudged(report).map((entry) => `- ${formatNotJudged(entry, code)}`);
}
