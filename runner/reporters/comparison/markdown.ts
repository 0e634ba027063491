import { formatFirst, pluralize } from '../../../common/lists.ts';
import { formatCode, formatCodeBlock, formatProse, formatSection } from '../../../common/markdown-text.ts';
import { formatOneLine } from '../../../common/printable.ts';
import type {
  ComparedRequirement,
  Comparison,
  ComparisonKind,
  RequirementOfTarget,
} from '../../compare/comparison.ts';
import { joinCurlLines } from '../../report/curl/curl-line.ts';
import { formatClauses } from '../../view/clauses.ts';
import { formatAnswer } from '../../view/format-answer.ts';
import {
  comparisonWords,
  findViolatingExchange,
  formatAgreement,
  formatNotJudgedOn,
  layOutAnswers,
  layOutDiffering,
  layOutOpen,
  layOutTargets,
  lookOfDifference,
  titleOfOpen,
} from '../../view/format-comparison.ts';
import { outcomeLooks, untriedLook } from '../../view/signs.ts';
import type { Table } from '../../view/table.ts';
import { formatTableAsMarkdown } from '../markdown-table.ts';

const shownCases = 5;
const longestExcerpt = 300;
const longestCurl = 3_000;

/**
 * Formats the comparison as Markdown of fewer than 60,000 characters, for a comment on a pull request or a job summary.
 * The length of each section is limited.
 */
export function comparisonMarkdown(comparison: Comparison): string {
  const { kind, targets, caveats, differing, brokenByAll, notJudged, open } = comparison;
  const words = comparisonWords[kind];
  const blocks = [
    `## ${formatProse(formatAgreement(comparison))}`,
    ...caveats.map((text) => `> ${formatCode(text)}`),
    formatTableAsMarkdown(layOutTargets(comparison)),
    ...formatSection(
      'Problems during the runs',
      5_000,
      targets.flatMap(({ name, diagnosis }) =>
        diagnosis.map((text) => `- ${formatCode(name)}: ${formatCode(text, 500)}`),
      ),
    ),
    ...tableBlock(layOutDiffering(comparison), 6_000),
    ...formatSection(
      words.differing,
      22_000,
      differing.map((item) => difference(kind, item)),
    ),
    ...formatSection(words.brokenByAll(targets.length), 8_000, brokenByAll.map(brokenItem)),
    ...formatSection(
      'Judged on some targets only',
      5_000,
      notJudged.map((item) => `- ${formatCode(item.target)}: ${formatNotJudgedOn(item, formatCode)}`),
    ),
    ...(open.length > 0 ? [`### ${titleOfOpen(comparison)} (${open.length})`] : []),
    ...tableBlock(layOutOpen(comparison, open), 6_000),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function tableBlock(table: Table, longest: number): string[] {
  return table.rows.length === 0 ? [] : [formatTableAsMarkdown(table, longest)];
}

function signOf({ outcome, broken }: RequirementOfTarget): string {
  const { sign } = outcome === null ? untriedLook : outcomeLooks[outcome];
  return broken > 0 ? `${sign} ${broken}` : sign;
}

function difference(kind: ComparisonKind, item: ComparedRequirement): string {
  const { id, says, level, cases, targets, evidence } = item;
  const { sign, words } = lookOfDifference(item);
  return [
    words === '' ? `#### ${formatCode(id)}` : `#### ${sign} ${formatCode(id)}: ${words}`,
    `${formatProse(says)} (${level})`,
    formatClauses(item)
      .slice(0, 2)
      .map((clause) => `> ${formatProse(clause, 300)}`)
      .join('\n>\n'),
    [
      ...targets.map((own, index) => {
        const exchange = evidence.answers[index]?.exchange;
        const answer = exchange
          ? `response: ${formatCode(formatAnswer(exchange, longestExcerpt))}`
          : comparisonWords[kind].noResponse;
        const found = own.found === null ? '' : `: ${formatCode(own.found, 500)}`;
        return `- ${formatCode(own.target)} ${signOf(own)}${found}; ${answer}`;
      }),
      `- ${comparisonWords[kind].verb} in ${pluralize(cases.length, 'case')}: ${formatFirst(
        cases.map((text) => formatCode(text)),
        shownCases,
      )}`,
    ].join('\n'),
    ...details('Differences between the responses', tableBlock(layOutAnswers(item), 2_000)),
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
