import { formatFirst, groupBy, pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { clip, columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import type { ComparedRequirement, Comparison, OpenDifference } from '../../compare/comparison.ts';
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
} from '../../view/format-comparison.ts';
import { differingLook, noticeLook } from '../../view/signs.ts';
import type { TextStyle } from '../reporter.ts';
import {
  createPageStyle,
  formatFirstLines,
  formatVerdict,
  type PageStyle,
  paintSign,
  signOf,
  wrapCurl,
} from '../terminal/page.ts';
import { formatTableLines } from '../terminal/table.ts';

const limits = { cases: 3, quotes: 2, places: 4, reasons: 4, open: 8 };
const longestExcerpt = 160;

/**
 * Formats the comparison as text. The first sections are the problems of the runs, the differences, and the failures
 * on all judged targets. The next sections are the checks that were judged on only some targets, and the differences
 * that the specification allows. The last sections are the table and the verdicts.
 */
export function comparisonTerminal(comparison: Comparison, style: TextStyle): string {
  const page = createPageStyle(style);
  const sections = [
    diagnosisLines(page, comparison),
    ...evidenceSections(page, comparison),
    brokenLines(page, comparison),
    notJudgedLines(page, comparison),
    openLines(page, comparison),
    tableLines(page, comparison),
    verdictLines(page, comparison),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function diagnosisLines(page: PageStyle, { targets }: Comparison): string[] {
  return targets.flatMap(({ name, diagnosis }) =>
    diagnosis.flatMap((text) =>
      wrapWords(
        page,
        `${paintSign(page, noticeLook)} `,
        `${page.paint('bold', name)}: ${formatOneLine(text)}`,
      ),
    ),
  );
}

/** Formats the differences with the responses. Merges requirements with equal outcomes, findings and differences. */
function evidenceSections(page: PageStyle, { differing }: Comparison): string[][] {
  const alike = groupBy(differing, ({ targets, evidence }) =>
    JSON.stringify([targets.map(({ outcome, found }) => [outcome, found]), evidence.differences]),
  );
  return alike.map(([, group]) => differenceLines(page, group));
}

function differenceLines(page: PageStyle, group: readonly ComparedRequirement[]): string[] {
  const { paint } = page;
  const [first] = group;
  if (!first) return [];
  const { targets, evidence } = first;
  const cases = [...new Set(group.flatMap((item) => item.cases))];
  const names = ['case', 'differs', ...targets.map(({ target }) => target)];
  const width = Math.max(...names.map(columnsOf));
  const label = (text: string): string => `    ${paint('dim', padTo(text, width))}  `;
  const curl = findViolatingExchange(first)?.curl;
  const firstQuotes = new Set(group.flatMap((item) => formatClauses(item).slice(0, 1)));
  const quotes = [...firstQuotes].slice(0, limits.quotes);
  return [
    ...group.flatMap(({ id, level, cases: own }) => {
      const about = `${pluralize(own.length, 'case')} · ${level}`;
      const room = group.length > 1 && !page.verbose ? page.width - id.length - 6 : Number.POSITIVE_INFINITY;
      return wrapWords(
        page,
        `${paintSign(page, differingLook)} `,
        `${paint('bold', id)}  ${paint('dim', clip(about, room))}`,
        2,
      );
    }),
    ...(group.length === 1 ? wrapWords(page, '  ', formatOneLine(first.says)) : []),
    ...quotes.flatMap((quote) => wrapWords(page, '    ', paint('dim', formatOneLine(quote)), 2)),
    ...(page.verbose ? cases : [evidence.case]).flatMap((id) => [label('case') + formatOneLine(id)]),
    ...targets.flatMap(({ target, outcome, found }, index) => {
      const exchange = evidence.answers[index]?.exchange;
      const answer = exchange ? formatAnswer(exchange, longestExcerpt) : 'not sent';
      return [
        ...wrapWords(page, label(target), `${signOf(page, outcome)} ${answer}`, 2),
        ...(found === null ? [] : wrapWords(page, `${label('')}  `, formatOneLine(found, longestExcerpt))),
      ];
    }),
    ...formatFirstLines(
      page,
      { items: evidence.differences, most: limits.places, noun: 'place' },
      ({ place, values }, index) =>
        wrapWords(
          page,
          label(index === 0 ? 'differs' : ''),
          `${formatPlace(place)}: ${values.map(formatValue).join(' | ')}`,
        ),
      label(''),
    ),
    ...(curl === undefined || !page.verbose ? [] : wrapCurl(page, '    ', curl)),
  ];
}

function brokenLines(page: PageStyle, comparison: Comparison): string[] {
  const { brokenByAll } = comparison;
  if (brokenByAll.length === 0) return [];
  return [
    page.paint('bold', `Failed on ${formatAllTargets(comparison)} targets`),
    ...brokenByAll.flatMap(({ id, cases, targets }) => {
      const head = `${id}  ${page.paint('dim', pluralize(cases.length, 'case'))}`;
      const found = new Set(targets.flatMap((item) => item.found ?? []));
      const worst = targets.find(({ outcome }) => outcome !== null)?.outcome ?? null;
      const lines =
        found.size === 1
          ? [...found].flatMap((text) => wrapWords(page, '    ', formatOneLine(text, longestExcerpt)))
          : targets.flatMap((item) =>
              item.found === null
                ? []
                : wrapWords(
                    page,
                    '    ',
                    `${page.paint('dim', `${item.target}:`)} ${formatOneLine(item.found, longestExcerpt)}`,
                  ),
            );
      return [...wrapWords(page, `  ${signOf(page, worst)} `, head), ...lines];
    }),
  ];
}

function notJudgedLines(page: PageStyle, { notJudged }: Comparison): string[] {
  const lines = groupBy(notJudged, ({ target }) => target).flatMap(([target, own]) => {
    return formatFirstLines(
      page,
      { items: own, most: limits.reasons, noun: 'reason' },
      (item) =>
        wrapWords(page, '  ', `${page.paint('bold', target)}: ${formatOneLine(formatNotJudgedOn(item))}`, 2),
      `  ${page.paint('dim', `${target}:`)} `,
    );
  });
  return lines.length === 0 ? [] : [page.paint('bold', 'Judged on some targets only'), ...lines];
}

function openLines(page: PageStyle, comparison: Comparison): string[] {
  const { open, targets } = comparison;
  if (open.length === 0) return [];
  return [
    `${page.paint('bold', 'Differences that the specification allows')}  ${page.paint('dim', targets.map(({ name }) => name).join(' | '))}`,
    ...formatFirstLines(page, { items: open, most: limits.open }, (item) => openEntry(page, item)),
  ];
}

function openEntry(page: PageStyle, item: OpenDifference): string[] {
  const where = item.where.map((text) => formatOneLine(text));
  const places = formatFirst(where, page.verbose ? where.length : limits.cases);
  return [
    ...wrapWords(
      page,
      '  ',
      `${formatOneLine(formatOpen(item))}: ${item.values.map((value) => formatOneLine(formatValue(value), longestExcerpt)).join(' | ')}`,
    ),
    ...wrapWords(page, '    ', page.paint('dim', places)),
  ];
}

function verdictLines(page: PageStyle, comparison: Comparison): string[] {
  const { targets } = comparison;
  const width = Math.max(...targets.map(({ name }) => columnsOf(name)));
  return [
    ...targets.flatMap(({ name, result, baseUrl, sent, durationMs, summary }) => {
      const { conforms, planned } = summary.requirements;
      const took = page.paint('dim', `${pluralize(sent, 'request')} in ${(durationMs / 1000).toFixed(1)} s`);
      const passed = `${conforms} of ${planned} passed`;
      return wrapWords(
        page,
        `${padTo(name, width)}  `,
        `${formatVerdict(page, result)}  ${passed}  ${baseUrl}  ${took}`,
      );
    }),
    ...wrapWords(page, '', page.paint('bold', formatAgreement(comparison))),
  ];
}

/** Formats the table of differing requirements, if any. If the table is too wide, letters replace the names. */
function tableLines(page: PageStyle, comparison: Comparison): string[] {
  const names = comparison.targets.map(({ name }) => [name]);
  const letters = names.map((_, index) => [String.fromCharCode(65 + index)]);
  const table = { ...layOutDiffering(comparison), title: 'Differing' };
  return table.rows.length === 0
    ? []
    : formatTableLines(page, table, [
        { names, narrowest: 4 },
        { names: letters, narrowest: 4 },
        { names: letters, narrowest: 4, isStacked: true },
      ]);
}
