import { formatFirst, pluralize } from '../../common/lists.ts';
import { formatCode, formatCodeBlock, formatProse } from '../../common/markdown-text.ts';
import { formatOneLine } from '../../common/printable.ts';
import type { Report, RequirementReport } from '../report/report.ts';
import { type Cause, formatAccepted } from '../view/causes.ts';
import { formatClauses, promised } from '../view/clauses.ts';
import { formatWhere, listContrasts } from '../view/counts.ts';
import { formatAnswer } from '../view/format-answer.ts';
import { knownStartOf } from '../view/known-start.ts';
import { outcomeVerbs } from '../view/signs.ts';
import type { Example, SymptomGroup } from '../view/symptom-groups.ts';

/** The maximum number of cases that are shown for one symptom. */
const shownCases = 3;
/** The maximum numbers of symptoms and requirements that are shown for one cause. */
const shownFindings = 3;
const shownRequirements = 20;
const longestCurl = 3_000;

/** Formats a cause with its evidence, for a report or an issue. */
export function formatCauseMarkdown(cause: Cause): string {
  const { outcome, title, label, lookAt, requirements, symptoms, example } = cause;
  const rest = symptoms.length - shownFindings;
  const accepted = formatAccepted(cause);
  return [
    `#### ${formatProse(title)}`,
    [`${label}, ${formatWhere(cause)}`, ...listContrasts(cause), `Look first at ${lookAt}`]
      .map((sentence) => `${formatProse(sentence)}.`)
      .join(' '),
    ...(accepted === undefined ? [] : [accepted]),
    ...quotes(example?.requirement ?? requirements[0]),
    [
      ...(example
        ? [
            `- expected: ${formatProse(promised(example.requirement), 500)}`,
            `- received: ${formatCode(formatAnswer(example.exchange, longestExcerpt), 500)}`,
          ]
        : []),
      `- ${outcomeVerbs[outcome].toLowerCase()}: ${listRequirements(requirements.map((requirement) => requirement.id))}`,
      ...symptoms.slice(0, shownFindings).map(finding),
      ...(rest > 0 ? [`- and ${pluralize(rest, 'more symptom')}`] : []),
    ].join('\n'),
    ...exampleBlocks(example),
  ].join('\n\n');
}

/** Formats a cause for an issue, which shows nothing else of the report. */
export function formatIssue(cause: Cause, report: Report): string {
  const { target, tool } = report;
  const start = knownStartOf(report);
  const day = start === undefined ? '' : ` on ${start.slice(0, 10)}`;
  return `${formatCauseMarkdown(cause)}\n\nTarget: ${formatCode(target.baseUrl)}, tested by ${formatCode(`${tool.name} ${tool.version}`)}${day}.`;
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

/** Formats the IDs of requirements. A long list is cut. */
export function listRequirements(ids: readonly string[]): string {
  return list(ids, shownRequirements);
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
