import { formatFirst, pluralize } from '../../common/lists.ts';
import { formatCode, formatCodeBlock, formatProse, formatSection } from '../../common/markdown-text.ts';
import { formatOneLine } from '../../common/printable.ts';
import type { Report, RequirementReport } from '../report/report.ts';
import { type Cause, formatAccepted } from '../view/causes.ts';
import { formatClauses } from '../view/clauses.ts';
import {
  formatBillable,
  formatInconclusiveIds,
  formatRequests,
  formatWhere,
  layOutCounts,
  listContrasts,
} from '../view/counts.ts';
import { type FailedRequirement, formatNotJudged } from '../view/failed-checks.ts';
import { formatAnswer } from '../view/format-answer.ts';
import { knownStartOf } from '../view/known-start.ts';
import { formatModelCounts, formatModels } from '../view/models.ts';
import { formatRest, isOfSelection, resultLooks } from '../view/result.ts';
import { outcomeVerbs, severityLabels } from '../view/signs.ts';
import type { Example, SymptomGroup } from '../view/symptom-groups.ts';
import { formatBroken, formatBrokenStreams, formatExchanges, listBrokenDuties } from '../view/traffic.ts';
import type { View } from '../view/view.ts';
import { formatSdkTableBlocks } from './markdown-sdk-table.ts';
import { formatTableAsMarkdown } from './markdown-table.ts';

/**
 * Formats the report as Markdown for a comment on a pull request or a job summary. The length of each section is
 * limited.
 */
export function markdown(view: View): string {
  const { report, causes } = view;
  const of = (outcome: Cause['outcome']): string[] =>
    causes.filter((cause) => cause.outcome === outcome).map(causeBlock);
  const known = view.expected.filter(({ outcome }) => outcome === 'violates');
  const { baseline } = report;
  const blocks = [
    head(view),
    ...formatSdkTableBlocks(view.sdks),
    ...formatSection(
      'Problems during the run',
      4_000,
      report.diagnosis.map(({ message }) => `- ${formatCode(message, 500)}`),
    ),
    ...formatSection('Failed', 20_000, of('violates')),
    ...formatSection(
      'Baseline entries that fail the run',
      5_000,
      (baseline?.problems ?? []).map(
        ({ line, message }) => `- ${formatCode(`${baseline?.file}:${line}`)}: ${formatCode(message)}`,
      ),
    ),
    ...formatSection('Warnings', 8_000, of('warns')),
    ...formatSection('Expected by the baseline', 5_000, known.map(expectedItem)),
    ...formatSection(
      'Unstable: passed in one round and failed in another',
      3_000,
      report.cases.filter((item) => item.unstable).map((item) => `- ${formatCode(item.id)}`),
    ),
    ...formatSection('Listed models', 5_000, models(view)),
    ...formatSection('Not tested', 5_000, notTested(view)),
    ...formatSection('Recorded traffic', 4_000, traffic(report)),
    ...formatSection('Clients, not part of the verdict on the gateway', 5_000, client(report)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function head(view: View): string {
  const { report, gate, headlines } = view;
  const { target, summary, durationMs, stopped, tool } = report;
  const { emoji, sentence } = resultLooks[gate.result];
  const inconclusive = formatInconclusiveIds(view);
  const billable = formatBillable(report);
  return [
    `## ${emoji} ${isOfSelection(view) ? 'The gateway passed' : sentence}${formatRest(view)}`,
    '',
    `${formatCode(target.baseUrl)}, ${formatRequests(report)} in ${(durationMs / 1000).toFixed(1)} s${billable === '' ? '' : ` (billable: ${billable})`}, tested by ${formatCode(`${tool.name} ${tool.version}`)}`,
    ...(stopped
      ? [
          '',
          `**Not everything was ${stopped.kind === 'recording' ? 'read' : 'sent'}:** ${formatCode(stopped.reason)}`,
        ]
      : []),
    ...(inconclusive === '' ? [] : ['', `**Inconclusive:** ${formatCode(inconclusive)}`]),
    ...(headlines.length > 0
      ? ['', headlines.map((headline) => `> **${formatProse(headline)}**`).join('\n>\n')]
      : []),
    '',
    formatTableAsMarkdown(layOutCounts(summary)),
  ].join('\n');
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
  const accepted = formatAccepted(cause);
  return [
    `#### ${formatProse(title)}`,
    [`${severityLabels[severity]}, ${formatWhere(cause)}`, ...listContrasts(cause), `Look first at ${lookAt}`]
      .map((sentence) => `${formatProse(sentence)}.`)
      .join(' '),
    ...(accepted === undefined ? [] : [accepted]),
    ...quotes(example?.requirement ?? requirements[0]),
    [
      ...(example
        ? [
            `- expected: ${formatProse(example.requirement.expects, 500)}`,
            `- received: ${formatCode(formatAnswer(example.exchange, longestExcerpt), 500)}`,
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
  return [lines.map((line) => `> ${formatProse(line, longestExcerpt)}`).join('\n>\n')];
}

function finding({ message, seen, requirements, cases }: SymptomGroup): string {
  const said = requirements.length > 1 ? seen : message;
  return `- ${formatCode(said, 500)} in ${pluralize(cases.length, 'case')}: ${list(cases, shownCases)}`;
}

function list(ids: readonly string[], most: number): string {
  return formatFirst(
    ids.map((id) => formatCode(id)),
    most,
  );
}

const longestExcerpt = 300;

function exampleBlocks(example: Example | undefined): string[] {
  if (!example) return [];
  const { exchange, requirement } = example;
  const start = knownStartOf(exchange);
  const curl = exchange.curl
    .split('\n')
    .map((line) => formatOneLine(line))
    .join('\n');
  const rows = [
    `- requirement: ${formatCode(requirement.id)}`,
    `- exchange: ${formatCode(exchange.id)}`,
    ...(start === undefined ? [] : [`- time: ${formatCode(start)}`]),
    ...(exchange.traceId === null ? [] : [`- trace ID: ${formatCode(exchange.traceId)}`]),
  ];
  return [
    '<details><summary>Request</summary>',
    rows.join('\n'),
    curl.length > longestCurl
      ? `The curl line has ${curl.length} characters and is not shown. The JSON report contains the curl line.`
      : formatCodeBlock('sh', curl),
    '</details>',
  ];
}

function expectedItem({ requirement, breaches, why }: FailedRequirement): string {
  return `- ${formatCode(requirement.id)}, ${pluralize(breaches.length, 'case')}: ${formatCode(why.join('; '))}`;
}

function models({ report, models: found }: View): string[] {
  if (!report.models) return [];
  const groups = found.map((group) => {
    const { outcome, known, requirements } = group;
    const kind = `${outcome === 'violates' ? 'failed' : 'warned'}${known ? ', as the baseline expects' : ''}`;
    return `- ${formatModels(group, formatCode)}: ${kind}: ${list(requirements, shownRequirements)}`;
  });
  return [`- ${formatProse(formatModelCounts(report.models))}`, ...groups];
}

function traffic({ recording }: Report): string[] {
  if (!recording) return [];
  const open = recording.notJudged.map(
    ({ reason, count, example }) =>
      `- ${count} not judged: ${formatCode(reason)} Example: ${formatCode(example)}`,
  );
  const broken = Object.entries(recording.brokenStreams ?? {}).map(
    ([by, { count, example }]) => `- ${formatBrokenStreams(by, count)} Example: ${formatCode(example)}`,
  );
  const learned = (recording.learned ?? []).map(
    ({ path, value, because }) => `- Inferred ${formatCode(`${path}: ${value}`)}. ${formatProse(because)}`,
  );
  return [`- ${formatExchanges(recording)}`, ...open, ...broken, ...learned];
}

function client({ recording }: Report): string[] {
  if (!recording?.client) return [];
  const broken = listBrokenDuties(recording.client).map((duty) => {
    const [first] = duty.findings;
    const example = first ? ` For example, ${formatCode(first.exchange)}: ${formatCode(first.message)}` : '';
    const level = duty.level === 'observe' ? 'observation' : duty.level;
    return `- ${formatCode(duty.id)} (${level}), ${formatBroken(duty)}: ${formatProse(duty.says)}${example}`;
  });
  return broken.length > 0 ? broken : ['- No duty was violated.'];
}

function notTested(view: View): string[] {
  return view.notTested.map((entry) => `- ${formatNotJudged(entry, formatCode)}`);
}
