import { formatFirst, pluralize } from '../../../common/lists.ts';
import { formatCode, formatCodeBlock, formatProse, formatSection } from '../../../common/markdown-text.ts';
import { formatOneLine } from '../../../common/printable.ts';
import type {
  ComparedRequirement,
  Comparison,
  OpenDifference,
  RequirementOfTarget,
} from '../../compare/comparison.ts';
import { joinCurlLines } from '../../report/curl/curl-line.ts';
import { formatClauses } from '../../view/clauses.ts';
import { formatAnswer } from '../../view/format-answer.ts';
import {
  findViolatingExchange,
  formatAgreement,
  formatAllTargets,
  formatNotJudgedOn,
  formatOpen,
  formatPlace,
  formatValue,
  layOutDiffering,
  layOutTargets,
} from '../../view/format-comparison.ts';
import { outcomeLooks, untriedLook } from '../../view/signs.ts';
import { formatTableAsMarkdown } from '../markdown-table.ts';

const limits = { cases: 5, places: 8, rows: 60 };
const longestExcerpt = 300;
const longestCurl = 3_000;

/**
 * Formats the comparison as Markdown for a comment on a pull request or a job summary. The length of each section is
 * limited.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { targets, differing, brokenByAll, notJudged, open } = comparison;
  const names = targets.map(({ name }) => name);
  const blocks = [
    `## ${formatProse(formatAgreement(comparison))}`,
    formatTableAsMarkdown(layOutTargets(comparison)),
    ...formatSection(
      'Problems during the runs',
      5_000,
      targets.flatMap(({ name, diagnosis }) =>
        diagnosis.map((text) => `- ${formatCode(name)}: ${formatCode(text, 500)}`),
      ),
    ),
    ...(differing.length > 0 ? [formatTableAsMarkdown(layOutDiffering(comparison, limits.rows))] : []),
    ...formatSection('Differing requirements', 24_000, differing.map(difference)),
    ...formatSection(`Failed on ${formatAllTargets(comparison)} targets`, 8_000, brokenByAll.map(brokenItem)),
    ...formatSection(
      'Judged on some targets only',
      5_000,
      notJudged.map((item) => `- ${formatCode(item.target)}: ${formatNotJudgedOn(item, formatCode)}`),
    ),
    ...formatSection(
      'Differences that the specification allows',
      6_000,
      open.map((item) => openDifference(names, item)),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function signOf({ outcome, broken }: RequirementOfTarget): string {
  const { sign } = outcome === null ? untriedLook : outcomeLooks[outcome];
  return broken > 0 ? `${sign} ${broken}` : sign;
}

function difference(item: ComparedRequirement): string {
  const { id, says, level, cases, targets, evidence } = item;
  const places = evidence.differences.slice(0, limits.places).map(({ place, values }) => {
    const texts = values.map(
      (value, index) => `${formatCode(targets[index]?.target ?? '')} ${formatCode(formatValue(value))}`,
    );
    return `- ${formatCode(formatPlace(place))}: ${texts.join(', ')}`;
  });
  return [
    `#### ${formatCode(id)}`,
    `${formatProse(says)} (${level})`,
    formatClauses(item)
      .slice(0, 2)
      .map((clause) => `> ${formatProse(clause, 300)}`)
      .join('\n>\n'),
    [
      ...targets.map((own, index) => {
        const exchange = evidence.answers[index]?.exchange;
        const answer = exchange
          ? formatCode(formatAnswer(exchange, longestExcerpt))
          : 'none, since nothing was sent';
        const found = own.found === null ? '' : `: ${formatCode(own.found, 500)}`;
        return `- ${formatCode(own.target)} ${signOf(own)}${found}; response: ${answer}`;
      }),
      `- differs in ${pluralize(cases.length, 'case')}: ${formatFirst(
        cases.map((text) => formatCode(text)),
        limits.cases,
      )}`,
    ].join('\n'),
    ...details('Differences between the responses', places),
    ...curlLines(item),
  ].join('\n\n');
}

function details(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, lines.join('\n'), '</details>'];
}

function curlLines(requirement: ComparedRequirement): string[] {
  const curl = formatOneLine(joinCurlLines(findViolatingExchange(requirement)?.curl ?? ''));
  return curl === '' || curl.length > longestCurl ? [] : [formatCodeBlock('sh', curl)];
}

function brokenItem({ id, cases, targets }: ComparedRequirement): string {
  const found = [...new Set(targets.flatMap((item) => item.found ?? []))];
  return `- ${formatCode(id)}, ${pluralize(cases.length, 'case')}: ${found.map((text) => formatCode(text)).join(' or ')}`;
}

function openDifference(names: readonly string[], item: OpenDifference): string {
  const values = item.values.map(
    (value, index) => `${formatCode(names[index] ?? '')} ${formatCode(formatValue(value))}`,
  );
  const where = item.where.map((text) => formatCode(text));
  return `- ${formatProse(formatOpen(item))}: ${values.join(', ')}, in ${formatFirst(where, 1)}`;
}
