import type {
  ComparedRequirement,
  Comparison,
  OpenDifference,
  RequirementOfTarget,
} from '../../compare/comparison.ts';
import {
  exchangeAtFault,
  formatAgreement,
  formatAllTargets,
  formatNotJudgedOn,
  formatOpen,
  formatPlace,
  formatValue,
} from '../../compare/format-comparison.ts';
import { type OverallResult, overallResultWords } from '../../report/exit-code.ts';
import { formatAnswer, formatClauses } from '../../report/format-value.ts';
import { pluralize } from '../../text/lists.ts';
import { code, codeBlock, prose, section } from '../../text/markdown-text.ts';
import { oneLine } from '../../text/printable.ts';
import { outcomeSigns } from '../terminal/page.ts';

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
    `## ${prose(formatAgreement(comparison))}`,
    head(comparison),
    ...section(
      'Problems during the runs',
      5_000,
      targets.flatMap(({ name, diagnosis }) =>
        diagnosis.map((text) => `- ${code(name)}: ${code(text, 500)}`),
      ),
    ),
    ...(differing.length > 0 ? [table(names, differing)] : []),
    ...section('Differing requirements', 24_000, differing.map(difference)),
    ...section(`Failed on ${formatAllTargets(comparison)} targets`, 8_000, brokenByAll.map(brokenItem)),
    ...section(
      'Judged on some targets only',
      5_000,
      notJudged.map((item) => `- ${code(item.target)}: ${formatNotJudgedOn(item, code)}`),
    ),
    ...section(
      'Differences that the specification allows',
      6_000,
      open.map((item) => openDifference(names, item)),
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const marks: Readonly<Record<OverallResult, string>> = {
  conforms: '✅',
  violates: '❌',
  'as-expected': '✅',
  'baseline-outdated': '❌',
  inconclusive: '❔',
};

function head({ targets }: Comparison): string {
  return [
    '| target | verdict | passed | failed | not tested | requests |',
    '|---|---|--:|--:|--:|--:|',
    ...targets.map(({ name, baseUrl, standing, summary: { requirements: counts }, sent }) => {
      const { conforms, violates, inconclusive, notApplicable } = counts;
      const where = `${code(name)} ${cellCode(baseUrl)}`;
      const verdict = `${marks[standing]} ${overallResultWords[standing]}`;
      return `| ${[where, verdict, conforms, violates, inconclusive + notApplicable, sent].join(' | ')} |`;
    }),
  ].join('\n');
}

/** Formats code for a table cell, in which a vertical bar would end the cell. */
function cellCode(text: string): string {
  return code(text.replaceAll('|', '%7C'));
}

function table(names: readonly string[], differing: readonly ComparedRequirement[]): string {
  const rest = differing.length - limits.rows;
  return [
    `| requirement | ${names.map((name) => code(name)).join(' | ')} |`,
    `|---|${names.map(() => ':-:').join('|')}|`,
    ...differing
      .slice(0, limits.rows)
      .map(({ id, targets }) => `| ${code(id)} | ${targets.map(cell).join(' | ')} |`),
    ...(rest > 0 ? ['', `*and ${pluralize(rest, 'more requirement')}*`] : []),
  ].join('\n');
}

function cell({ outcome, broken }: RequirementOfTarget): string {
  const sign = outcome === null ? '·' : outcomeSigns[outcome][0];
  return broken > 0 ? `${sign} ${broken}` : sign;
}

function difference(item: ComparedRequirement): string {
  const { id, says, level, cases, targets, evidence } = item;
  const rest = cases.length - limits.cases;
  const places = evidence.differences.slice(0, limits.places).map(({ place, values }) => {
    const texts = values.map(
      (value, index) => `${code(targets[index]?.target ?? '')} ${code(formatValue(value))}`,
    );
    return `- ${code(formatPlace(place))}: ${texts.join(', ')}`;
  });
  return [
    `#### ${code(id)}`,
    `${prose(says)} (${level})`,
    formatClauses(item)
      .slice(0, 2)
      .map((clause) => `> ${prose(clause, 300)}`)
      .join('\n>\n'),
    [
      ...targets.map((own, index) => {
        const exchange = evidence.answers[index]?.exchange;
        const answer = exchange
          ? code(formatAnswer(exchange, longestExcerpt))
          : 'none, since nothing was sent';
        const found = own.found === null ? '' : `: ${code(own.found, 500)}`;
        return `- ${code(own.target)} ${cell(own)}${found}; response: ${answer}`;
      }),
      `- differs in ${pluralize(cases.length, 'case')}: ${cases
        .slice(0, limits.cases)
        .map((text) => code(text))
        .join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`,
    ].join('\n'),
    ...details('Differences between the responses', places),
    ...curlLines(item),
  ].join('\n\n');
}

function details(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`<details><summary>${title}</summary>`, lines.join('\n'), '</details>'];
}

function curlLines(requirement: ComparedRequirement): string[] {
  const curl = oneLine(exchangeAtFault(requirement)?.curl ?? '');
  return curl === '' || curl.length > longestCurl ? [] : [codeBlock('sh', curl)];
}

function brokenItem({ id, cases, targets }: ComparedRequirement): string {
  const found = [...new Set(targets.flatMap((item) => item.found ?? []))];
  return `- ${code(id)}, ${pluralize(cases.length, 'case')}: ${found.map((text) => code(text)).join(' or ')}`;
}

function openDifference(names: readonly string[], item: OpenDifference): string {
  const values = item.values.map((value, index) => `${code(names[index] ?? '')} ${code(formatValue(value))}`);
  const [first = ''] = item.where;
  const rest = item.where.length - 1;
  return `- ${prose(formatOpen(item))}: ${values.join(', ')}, in ${code(first)}${rest > 0 ? ` and ${rest} more` : ''}`;
}
