import { pluralize } from '../../common/lists.ts';
import { formatCode, formatProse, formatSection } from '../../common/markdown-text.ts';
import type { Report } from '../report/report.ts';
import type { Cause } from '../view/causes.ts';
import { formatBillable, formatInconclusiveIds, formatRequests, layOutCounts } from '../view/counts.ts';
import { type Deviation, formatExtent } from '../view/deviations.ts';
import { type FailedRequirement, formatNotJudged } from '../view/failed-checks.ts';
import { formatModelCounts, formatModels } from '../view/models.ts';
import { groupProblems } from '../view/problems.ts';
import { formatRest, isOfSelection, resultLooks } from '../view/result.ts';
import { formatBroken, formatBrokenStreams, formatExchanges, listBrokenDuties } from '../view/traffic.ts';
import type { View } from '../view/view.ts';
import { formatCauseMarkdown, listRequirements } from './markdown-cause.ts';
import { formatSdkTableBlocks } from './markdown-sdk-table.ts';
import { formatTableAsMarkdown } from './markdown-table.ts';

/**
 * Formats the report as Markdown for a comment on a pull request or a job summary. The length of each section is
 * limited.
 */
export function markdown(view: View): string {
  const { report, causes } = view;
  const of = (outcome: Cause['outcome']): string[] =>
    causes.filter((cause) => cause.outcome === outcome).map(formatCauseMarkdown);
  const known = view.expected.filter(({ outcome }) => outcome === 'violates');
  const blocks = [
    head(view),
    ...formatSdkTableBlocks(view.sdks),
    ...formatSection(
      'Problems during the run',
      4_000,
      report.diagnosis.map(({ message }) => `- ${formatCode(message, 500)}`),
    ),
    ...formatSection('Failed', 20_000, of('violates')),
    ...groupProblems(report).flatMap(({ title, problems }) =>
      formatSection(
        title,
        4_000,
        problems.map(({ place, message }) => `- ${formatCode(place)}: ${formatCode(message)}`),
      ),
    ),
    ...formatSection('Warnings', 8_000, of('warns')),
    ...formatSection('Expected by the baseline', 5_000, known.map(expectedItem)),
    ...formatSection('Declared deviations', 4_000, (view.deviations?.all ?? []).map(declaredItem)),
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

function expectedItem({ requirement, breaches, why }: FailedRequirement): string {
  return `- ${formatCode(requirement.id)}, ${pluralize(breaches.length, 'case')}: ${formatCode(why.join('; '))}`;
}

function declaredItem(deviation: Deviation): string {
  const { id, declares, reason } = deviation;
  const why = reason === undefined ? '' : `: ${formatCode(reason)}`;
  return `- ${formatCode(id)}: ${formatProse(declares)} (${formatExtent(deviation, formatCode)})${why}`;
}

function models({ report, models: found }: View): string[] {
  if (!report.models) return [];
  const groups = found.map((group) => {
    const { outcome, known, requirements } = group;
    const kind = `${outcome === 'violates' ? 'failed' : 'warned'}${known ? ', as the baseline expects' : ''}`;
    return `- ${formatModels(group, formatCode)}: ${kind}: ${listRequirements(requirements)}`;
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
