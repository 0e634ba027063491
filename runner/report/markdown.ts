import {
  type BrokenRequirement,
  brokenRequirements,
  collectBreaches,
  describeBreach,
} from './collect-breaches.ts';
import { collectNotJudged, wordNotJudged } from './collect-not-judged.ts';
import { counted } from './counted.ts';
import { groupModels, wordModelCounts, wordModels } from './group-models.ts';
import { sdkTableBlocks } from './markdown-sdk-table.ts';
import { code, codeBlock, prose, section } from './markdown-text.ts';
import { oneLine } from './one-line.ts';
import type { Counts, Report } from './report.ts';
import { type Standing, standingOf } from './standing.ts';
import { brokenDuties, dutyOutcome, wordBroken, wordExchanges } from './word-client.ts';

/** The report as Markdown of less than 60,000 characters: fit for a comment on a pull request, or a job summary. */
export function markdown(report: Report): string {
  const breaches = collectBreaches(report);
  const violated = brokenRequirements(breaches, { outcome: 'violates', known: false });
  const warned = brokenRequirements(breaches, { outcome: 'warns', known: false });
  const known = brokenRequirements(breaches, { outcome: 'violates', known: true });
  const { baseline } = report;
  const blocks = [
    head(report),
    ...sdkTableBlocks(report),
    ...section(
      'What kept it from judging',
      4_000,
      report.diagnosis.map(({ message }) => `- ${code(message, 500)}`),
    ),
    ...section(
      'Baseline entries that no longer hold',
      5_000,
      (baseline?.problems ?? []).map(
        ({ line, message }) => `- ${code(`${baseline?.file}:${line}`)}: ${code(message)}`,
      ),
    ),
    ...section('Violated', 24_000, violated.map(broken)),
    ...section('Warnings', 8_000, warned.map(broken)),
    ...section('Known violations, as the baseline expects', 5_000, known.map(expected)),
    ...section(
      'Unstable: kept in one round and broken in another',
      3_000,
      report.cases.filter((item) => item.unstable).map((item) => `- ${code(item.id)}`),
    ),
    ...section('Listed models', 5_000, models(report)),
    ...section('Not judged', 5_000, notJudged(report)),
    ...section('Recorded traffic', 4_000, traffic(report)),
    ...section("The client's side, apart from the verdict", 5_000, client(report)),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const titles: Readonly<Record<Standing, string>> = {
  conforms: '✅ The gateway conforms',
  violates: '❌ The gateway violates the specification',
  'as-expected': '❌ The gateway violates the specification, as its baseline expects',
  'baseline-outdated': '❌ The gateway has an outdated baseline',
  inconclusive: '❔ The gateway could not be judged',
};

function head(report: Report): string {
  const { target, summary, requests, durationMs, stopped, tool } = report;
  return [
    `## ${titles[standingOf(report)]}`,
    '',
    `${code(target.baseUrl)}, ${counted(requests.sent, 'request')} in ${(durationMs / 1000).toFixed(1)} s, judged by ${code(`${tool.name} ${tool.version}`)}`,
    ...(stopped
      ? [
          '',
          `**Not everything was ${stopped.kind === 'recording' ? 'read' : 'sent'}:** ${code(stopped.reason)}`,
        ]
      : []),
    '',
    '| | planned | conform | violated | warned of | inconclusive | not applicable |',
    '|---|--:|--:|--:|--:|--:|--:|',
    countsRow('requirements', summary.requirements),
    countsRow('cases', summary.cases),
  ].join('\n');
}

function countsRow(name: string, counts: Counts): string {
  const { planned, conforms, violates, warns, inconclusive, notApplicable } = counts;
  return `| ${[name, planned, conforms, violates, warns, inconclusive, notApplicable].join(' | ')} |`;
}

/** How many cases and findings are shown of one requirement. */
const shownCases = 3;
const shownFindings = 3;
const longestCurl = 3_000;
const shownRequirements = 20;

function broken({ requirement, breaches }: BrokenRequirement): string {
  const findings = new Map<string, string[]>();
  for (const { found, item } of breaches) findings.set(found, [...(findings.get(found) ?? []), item.id]);
  const rest = findings.size - shownFindings;
  return [
    `#### ${code(requirement.id)}`,
    `${prose(requirement.says)} (${requirement.level}, clause ${code(requirement.clause)})`,
    [
      `- expected: ${code(requirement.expects, 500)}`,
      ...[...findings].slice(0, shownFindings).map(finding),
      ...(rest > 0 ? [`- and ${rest} more kinds of findings`] : []),
    ].join('\n'),
    ...example(breaches[0]),
  ].join('\n\n');
}

function finding([found, cases]: readonly [string, readonly string[]]): string {
  const rest = cases.length - shownCases;
  const shown = cases.slice(0, shownCases).map((id) => code(id));
  return `- in ${counted(cases.length, 'case')}: ${code(found, 500)}: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
}

function example(breach: BrokenRequirement['breaches'][number] | undefined): string[] {
  if (!breach?.exchange) return [];
  const shown = ['at', 'exchange', 'time', 'trace id'];
  const rows = describeBreach(breach).filter(([name]) => shown.includes(name));
  const curl = oneLine(breach.exchange.curl);
  return [
    '<details><summary>One of the requests</summary>',
    rows.map(([name, text]) => `- ${name}: ${code(text)}`).join('\n'),
    curl.length > longestCurl
      ? `The curl line of ${curl.length} characters is too long for here; the JSON report has it.`
      : codeBlock('sh', curl),
    '</details>',
  ];
}

function expected({ requirement, breaches }: BrokenRequirement): string {
  const why = [...new Set(breaches.map(({ known }) => known ?? ''))];
  return `- ${code(requirement.id)}, ${counted(breaches.length, 'case')}: ${code(why.join('; '))}`;
}

function models(report: Report): string[] {
  if (!report.models) return [];
  const groups = groupModels(report).map((group) => {
    const { outcome, known, requirements } = group;
    const kind = `${outcome === 'violates' ? 'violated' : 'warned of'}${known ? ', as the baseline expects' : ''}`;
    const shown = requirements.slice(0, shownRequirements).map((id) => code(id));
    const rest = requirements.length - shown.length;
    return `- ${wordModels(group, code)}: ${kind}: ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
  });
  return [`- ${prose(wordModelCounts(report.models))}`, ...groups];
}

function traffic({ recording }: Report): string[] {
  if (!recording) return [];
  const open = recording.notJudged.map(
    ({ reason, count, example }) => `- ${count} not judged: ${code(reason)}, such as ${code(example)}`,
  );
  return [`- ${wordExchanges(recording)}`, ...open];
}

function client({ recording }: Report): string[] {
  if (!recording?.client) return [];
  const broken = brokenDuties(recording).map((duty) => {
    const [first] = duty.findings;
    const example = first ? `: ${code(first.message)} (${code(first.exchange)})` : '';
    return `- ${code(duty.id)}, ${dutyOutcome(duty)}, ${wordBroken(duty)}: ${prose(duty.says)}${example}`;
  });
  return broken.length > 0 ? broken : ['- No duty was broken.'];
}

function notJudged(report: Report): string[] {
  return collectNotJudged(report).map((entry) => `- ${wordNotJudged(entry, code)}`);
}
