import { counted } from '../counted.ts';
import { groupRequirements, type RequirementGroup } from '../group-requirements.ts';
import { oneLine } from '../one-line.ts';
import type { CaseReport, ExchangeReport, Report } from '../report.ts';
import { wordAnswer } from '../word-answer.ts';
import { wordDrawn } from '../word-drawn.ts';
import { fill, hang } from '../wrap.ts';
import { exchangeLines } from './exchange-lines.ts';
import type { Page } from './page.ts';
import { type Reason, reasonsOf, wordsOf } from './reasons.ts';
import { where } from './where.ts';

/** How many reasons are shown of requirements that are broken alike, before the rest is counted. */
const shownReasons = 3;
/** How much is shown of a body, or of a finding, in passing. */
const longestExcerpt = 200;

/** What is broken: requirements that fail for one reason together, each reason with where it was seen and an example. */
export function brokenLines(page: Page, report: Report, outcome: 'violates' | 'warns'): string[] {
  const cases = new Map(report.cases.map((item) => [item.id, item]));
  return groupRequirements(report, outcome).flatMap((group, index) => [
    ...(index > 0 ? [''] : []),
    ...groupLines(page, cases, group, outcome),
  ]);
}

/** The sign of an outcome that is not as it should be. */
export function markOf({ paint }: Page, outcome: 'violates' | 'warns'): string {
  return outcome === 'violates' ? paint('red', '✗') : paint('yellow', '▲');
}

function groupLines(
  page: Page,
  cases: ReadonlyMap<string, CaseReport>,
  group: RequirementGroup,
  outcome: 'violates' | 'warns',
): string[] {
  const reasons = reasonsOf(group);
  const shown = page.verbose ? reasons : reasons.slice(0, shownReasons);
  const rest = reasons.length - shown.length;
  const evidence = shown.flatMap((reason) => [
    // One reason of several requirements is told in their head, or by each of them.
    ...(group.length > 1 && reasons.length === 1 ? [] : saidLines(page, reason)),
    ...evidenceLines(page, cases, reason),
  ]);
  const members = group.length > 1 ? memberLines(page, group) : [];
  const broke = members.length > 0 ? [`    ${page.paint('dim', 'breaks')}`] : [];
  return [
    ...headLines(page, group, markOf(page, outcome)),
    ...(headOf(group) === undefined ? [...members, ...evidence] : [...evidence, ...broke, ...members]),
    ...(rest > 0 ? [page.paint('dim', `  and ${counted(rest, 'more reason')} (--verbose shows all)`)] : []),
  ];
}

function headLines(page: Page, group: RequirementGroup, mark: string): string[] {
  const { paint } = page;
  const [first] = group;
  if (first && group.length === 1) {
    const { id, level, clause, says } = first.requirement;
    return [
      ...hang(page, `${mark} `, `${paint('bold', id)}  ${paint('dim', `${level} · ${clause}`)}`, 2),
      ...hang(page, '  ', says),
    ];
  }
  const head = oneLine(headOf(group) ?? 'broken by the same answers', longestExcerpt);
  return hang(page, `${mark} `, paint('bold', `${group.length} requirements: ${head}`));
}

/** What is broken for a common reason: each requirement in a line, and what is its own in that reason. */
function memberLines(page: Page, group: RequirementGroup): string[] {
  const { paint, verbose, width } = page;
  const head = headOf(group);
  return group.flatMap(({ requirement: { id, level, clause }, groups: [main] }) => {
    const room = verbose ? Number.POSITIVE_INFINITY : Math.max(0, width - id.length - 8);
    const own = main === undefined || wordsOf(main) === head ? '' : oneLine(wordsOf(main), longestExcerpt);
    return [
      ...hang(
        page,
        '    ',
        `${paint('bold', id)}  ${paint('dim', oneLine(`${level} · ${clause}`, room))}`,
        2,
      ),
      ...(own === '' ? [] : hang(page, '      ', own)),
    ];
  });
}

/** What the requirements of a group have in common; undefined where it is only the answers that broke them. */
function headOf(group: RequirementGroup): string | undefined {
  const seen = new Set(group.map(({ groups: [main] }) => main?.seen));
  return seen.size === 1 ? [...seen][0] : undefined;
}

function saidLines(page: Page, { said, others }: Reason): string[] {
  const more = others > 0 ? `, and ${counted(others, 'other value')} elsewhere` : '';
  const mark = `  ${page.paint('cyan', '→')} `;
  return hang(page, mark, oneLine(said.join('; '), longestExcerpt) + more);
}

function evidenceLines(page: Page, cases: ReadonlyMap<string, CaseReport>, reason: Reason): string[] {
  const { paint, verbose } = page;
  const { example, exchanges, expects, places } = reason;
  const known = (ids: readonly string[]): CaseReport[] => ids.flatMap((id) => cases.get(id) ?? []);
  const own = known(reason.cases);
  const among = known(reason.judged);
  const count =
    exchanges.length > own.length
      ? counted(exchanges.length, 'answer')
      : own.length < among.length
        ? `${own.length} of ${counted(among.length, 'case')}`
        : counted(own.length, 'case');
  const name = (text: string): string => `    ${paint('dim', text.padEnd(8))}  `;
  const members = places.filter((place) => place !== 'status' && place !== 'body');
  return [
    ...hang(page, name('where'), [count, where(own, among)].filter((text) => text !== '').join(': ')),
    ...(example ? exampleLines(page, name, example, expects, members) : []),
    ...(example ? [`    ${oneLine(example.curl)}`] : []),
    ...(verbose ? own.map(({ id }) => paint('dim', `      ${id}`)) : []),
    ...(verbose && example ? exchangeLines(page, example) : []),
  ];
}

function exampleLines(
  page: Page,
  name: (text: string) => string,
  example: ExchangeReport,
  expects: string,
  members: readonly string[],
): string[] {
  const { id, traceId, startedAt } = example;
  return [
    name('example') + id.replace(/[#@].*$/, ''),
    ...hang(page, name('expected'), expects),
    ...fill(page, name('received'), wordAnswer(example, longestExcerpt)),
    ...(members.length > 0 ? hang(page, name('at'), members.join(', ')) : []),
    ...hang(page, name('trace id'), `${traceId === null ? 'none' : oneLine(traceId, 100)}, ${startedAt}`),
    ...wordDrawn(example).flatMap(([what, text]) => hang(page, name(what), text)),
  ];
}
