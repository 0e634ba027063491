import { groupBy, pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { clip, columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import type { ComparedRequirement, Comparison, ComparisonKind } from '../../compare/comparison.ts';
import { changeLooks } from '../../view/changes.ts';
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
  lookOfDifference,
} from '../../view/format-comparison.ts';
import { formatCount, noticeLook } from '../../view/signs.ts';
import type { Table } from '../../view/table.ts';
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

const limits = { evidence: 5, rows: 40, heads: 5, broken: 20, quotes: 2, places: 4, reasons: 4, open: 8 };
const longestExcerpt = 160;

/**
 * Formats the comparison as text. The first sections are the problems of the runs, the differences, and the failures
 * on all judged targets. The next sections are the checks that were judged on only some targets, and the differences
 * that the specification allows. The last sections are the table and the verdicts.
 */
export function comparisonTerminal(comparison: Comparison, style: TextStyle): string {
  const page = createPageStyle(style);
  const sections = [
    noticeLines(page, comparison),
    ...evidenceSections(page, comparison),
    brokenLines(page, comparison),
    notJudgedLines(page, comparison),
    ...openSections(page, comparison),
    tableLines(page, comparison),
    verdictLines(page, comparison),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function noticeLines(page: PageStyle, { targets, caveats }: Comparison): string[] {
  const notices = [
    ...caveats.map((text) => formatOneLine(text)),
    ...targets.flatMap(({ name, diagnosis }) =>
      diagnosis.map((text) => `${page.paint('bold', name)}: ${formatOneLine(text)}`),
    ),
  ];
  return notices.flatMap((text) => wrapWords(page, `${paintSign(page, noticeLook)} `, text));
}

/**
 * Formats the differences with the responses. Merges requirements with equal outcomes, findings and differences. Good
 * changes are only in the table, unless the page is verbose.
 */
function evidenceSections(page: PageStyle, { kind, differing }: Comparison): string[][] {
  const shown = differing.filter(
    ({ change }) => page.verbose || change === undefined || changeLooks[change].isBad,
  );
  const alike = groupBy(shown, ({ change, targets, evidence }) =>
    JSON.stringify([change, targets.map(({ outcome, found }) => [outcome, found]), evidence.differences]),
  );
  const described = page.verbose ? alike : alike.slice(0, limits.evidence);
  const rest = alike.length - described.length;
  return [
    ...described.map(([, group]) => differenceLines(page, kind, group)),
    ...(rest > 0
      ? [[page.paint('dim', `and ${pluralize(rest, 'more difference')} (--verbose shows all)`)]]
      : []),
  ];
}

function differenceLines(
  page: PageStyle,
  kind: ComparisonKind,
  group: readonly ComparedRequirement[],
): string[] {
  const { paint } = page;
  const [first] = group;
  if (!first) return [];
  const { targets, evidence } = first;
  const cases = [...new Set(group.flatMap((item) => item.cases))];
  const look = lookOfDifference(first);
  const heads = page.verbose ? group : group.slice(0, limits.heads);
  const rest = group.length - heads.length;
  const names = ['case', ...targets.map(({ target }) => target)];
  const width = Math.max(...names.map(columnsOf));
  const label = (text: string): string => `    ${paint('dim', padTo(text, width))}  `;
  const curl = findViolatingExchange(first)?.curl;
  const firstQuotes = new Set(group.flatMap((item) => formatClauses(item).slice(0, 1)));
  const quotes = [...firstQuotes].slice(0, limits.quotes);
  return [
    ...heads.flatMap(({ id, level, cases: own }) => {
      const about = [look.words, pluralize(own.length, 'case'), level].filter(Boolean).join(' · ');
      const room = group.length > 1 && !page.verbose ? page.width - id.length - 6 : Number.POSITIVE_INFINITY;
      return wrapWords(
        page,
        `${paintSign(page, look)} `,
        `${paint('bold', formatOneLine(id))}  ${paint('dim', clip(about, room))}`,
        2,
      );
    }),
    ...(rest > 0 ? [paint('dim', `  and ${pluralize(rest, 'more requirement')} (the table has all)`)] : []),
    ...(group.length === 1 ? wrapWords(page, '  ', formatOneLine(first.says)) : []),
    ...quotes.flatMap((quote) => wrapWords(page, '    ', paint('dim', formatOneLine(quote)), 2)),
    ...(page.verbose ? cases : [evidence.case]).flatMap((id) => [label('case') + formatOneLine(id)]),
    ...targets.flatMap(({ target, outcome, found }, index) => {
      const exchange = evidence.answers[index]?.exchange;
      const answer = exchange ? formatAnswer(exchange, longestExcerpt) : comparisonWords[kind].noResponse;
      return [
        ...wrapWords(page, label(target), `${signOf(page, outcome)} ${answer}`, 2),
        ...(found === null ? [] : wrapWords(page, `${label('')}  `, formatOneLine(found, longestExcerpt))),
      ];
    }),
    ...answerLines(page, first),
    ...(curl === undefined || !page.verbose ? [] : wrapCurl(page, '    ', curl)),
  ];
}

/** Formats the places where the responses to one request differ. */
function answerLines(page: PageStyle, item: ComparedRequirement): string[] {
  const table = layOutAnswers(item);
  const rest = table.rows.length - limits.places;
  const isCut = rest > 0 && !page.verbose;
  return valueLines(
    { ...page, width: page.width - 4 },
    {
      ...table,
      title: 'differs',
      ...(isCut && { rows: table.rows.slice(0, limits.places), rest: pluralize(rest, 'more place') }),
    },
  ).map((line) => `    ${line}`);
}

/** Formats a table of the values of each target. */
function valueLines(page: PageStyle, table: Table): string[] {
  const names = table.columns.map(({ name }) => [name]);
  return table.rows.length === 0 ? [] : formatTableLines(page, table, [{ names }, { names, isListed: true }]);
}

function brokenLines(page: PageStyle, { kind, targets: compared, brokenByAll }: Comparison): string[] {
  if (brokenByAll.length === 0) return [];
  return [
    page.paint('bold', comparisonWords[kind].brokenByAll(compared.length)),
    ...formatFirstLines(
      page,
      { items: brokenByAll, most: limits.broken, noun: 'requirement' },
      ({ id, cases, targets }) => {
        const head = `${formatOneLine(id)}  ${page.paint('dim', pluralize(cases.length, 'case'))}`;
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
      },
    ),
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

/** Formats the differences that the specification allows: in observations, and in conforming responses. */
function openSections(page: PageStyle, comparison: Comparison): string[][] {
  return (['silent', 'answer'] as const).map((kind) => {
    const open = comparison.open.filter((item) => item.kind === kind);
    const rest = open.length - limits.open;
    const isCut = rest > 0 && !page.verbose;
    return valueLines(page, {
      ...layOutOpen(comparison, isCut ? open.slice(0, limits.open) : open),
      title: kind === 'silent' ? 'Different observations' : 'Allowed differences',
      rest: isCut ? pluralize(rest, 'more difference') : undefined,
    });
  });
}

function verdictLines(page: PageStyle, comparison: Comparison): string[] {
  const { targets } = comparison;
  const width = Math.max(...targets.map(({ name }) => columnsOf(name)));
  return [
    ...targets.flatMap(({ name, result, baseUrl, sent, durationMs, summary }) => {
      const { conforms, deviates, planned } = summary.requirements;
      const took = page.paint('dim', `${pluralize(sent, 'request')} in ${(durationMs / 1000).toFixed(1)} s`);
      const passed = `${conforms} of ${planned} passed${deviates > 0 ? `, ${formatCount('deviates', deviates)}` : ''}`;
      return wrapWords(
        page,
        `${padTo(name, width)}  `,
        `${formatVerdict(page, result)}  ${passed}  ${formatOneLine(baseUrl)}  ${took}`,
      );
    }),
    ...wrapWords(page, '', page.paint('bold', formatAgreement(comparison))),
  ];
}

/** Formats the table of differing requirements, if any. If the table is too wide, letters replace the targets. */
function tableLines(page: PageStyle, comparison: Comparison): string[] {
  const { kind } = comparison;
  const whole = layOutDiffering(comparison);
  if (whole.rows.length === 0) return [];
  const shown = page.verbose ? whole.rows : whole.rows.slice(0, limits.rows);
  const rest = whole.rows.length - shown.length;
  const names = whole.columns.map(({ name }) => [name]);
  const short = kind === 'changes' ? names : names.map((_, index) => [String.fromCharCode(65 + index)]);
  return formatTableLines(
    page,
    {
      ...whole,
      title: comparisonWords[kind].short,
      rest: rest > 0 ? pluralize(rest, 'more requirement') : undefined,
      rows: shown.map((row) => ({ ...row, label: formatOneLine(row.label) })),
    },
    [
      { names, narrowest: 4 },
      { names: short, narrowest: 4 },
      { names: short, narrowest: 4, isStacked: true },
      { names, isListed: true },
    ],
  );
}
