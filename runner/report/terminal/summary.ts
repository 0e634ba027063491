import { counted } from '../counted.ts';
import { type ModelBreach, modelBreaches } from '../group-models.ts';
import { oneLine } from '../one-line.ts';
import type { CaseReport, Report, RequirementReport } from '../report.ts';
import { hang } from '../wrap.ts';
import { markOf } from './broken.ts';
import type { Page } from './page.ts';

const shownUnstable = 8;

/** Each broken requirement in a line: where the report begins to be read, next to the prompt. */
export function summaryLines(page: Page, report: Report): string[] {
  const breaches = modelBreaches(report).filter(({ known }) => known === undefined);
  const broken = report.requirements.flatMap((requirement) => {
    const { outcome } = requirement;
    if (outcome !== 'violates' && outcome !== 'warns') return [];
    const count = wordCount(report, requirement, breaches);
    return count === '' ? [] : [{ requirement, outcome, count }];
  });
  // A single one has just been told of.
  if (broken.length < 2) return [];
  broken.sort((a, b) => Number(a.outcome === 'warns') - Number(b.outcome === 'warns'));
  const countWidth = Math.max(10, ...broken.map(({ count }) => count.length + 2));
  const idWidth = Math.max(...broken.map(({ requirement }) => requirement.id.length));
  return [
    page.paint('bold', 'Not kept'),
    ...broken.map(({ requirement: { id, clause }, outcome, count }) => {
      const room = page.width - idWidth - countWidth - 6;
      const shown = room < 12 ? '' : `  ${page.paint('dim', oneLine(clause, room))}`;
      return `  ${markOf(page, outcome)} ${id.padEnd(idWidth)}${count.padStart(countWidth)}${shown}`;
    }),
  ];
}

/** In how many of its cases, and with how many of the listed models, it is broken otherwise than expected. */
function wordCount(report: Report, requirement: RequirementReport, breaches: readonly ModelBreach[]): string {
  const own = new Set(requirement.cases);
  const cases = report.cases.filter(({ id, model }) => model === undefined && own.has(id));
  const broken = unexpected(cases, requirement);
  const { id, outcome } = requirement;
  const models = breaches.filter((breach) => breach.requirement === id && breach.outcome === outcome);
  const judged = report.models?.requirements.find((item) => item.id === id)?.models;
  const of = judged ? judged.planned - judged.notApplicable : 0;
  return [
    ...(broken > 0 ? [`${broken} of ${cases.length}`] : []),
    ...(models.length > 0 ? [`${models.length} of ${of} models`] : []),
  ].join(', ');
}

function unexpected(cases: readonly CaseReport[], { id, outcome }: RequirementReport): number {
  const isSo = (item: CaseReport): boolean =>
    item.obligations.some(
      (entry) => entry.requirement === id && entry.outcome === outcome && entry.expected === undefined,
    );
  return cases.filter(isSo).length;
}

/** Cases that came out well in one round and badly in another. */
export function unstableLines(page: Page, { cases, rounds }: Report): string[] {
  const unstable = cases.filter((item) => item.unstable);
  const shown = page.verbose ? unstable : unstable.slice(0, shownUnstable);
  const rest = unstable.length - shown.length;
  if (unstable.length === 0) return [];
  return [
    `${page.paint('bold', 'Unstable')}  ${counted(unstable.length, 'case')} not the same in all ${rounds} rounds`,
    ...shown.flatMap(({ id, outcomes = [] }) => {
      const bad = outcomes.filter((outcome) => outcome === 'violates').length;
      return hang(
        page,
        `  ${page.paint('yellow', '~')} `,
        `${id}  ${page.paint('dim', `broken in ${bad} of ${outcomes.length}`)}`,
      );
    }),
    ...(rest > 0 ? [page.paint('dim', `  and ${rest} more (--verbose shows all)`)] : []),
  ];
}

/** What a baseline says that no longer holds: the first thing to mend. */
export function baselineProblemLines(page: Page, { baseline }: Report): string[] {
  if (!baseline) return [];
  return baseline.problems.flatMap(({ line, message }) =>
    hang(
      page,
      `${page.paint('red', '✗')} `,
      `${page.paint('bold', `${baseline.file}:${line}:`)} ${oneLine(message)}`,
    ),
  );
}

/** What is broken, or not applicable, as a baseline expects: counted, and with --verbose listed with the reasons. */
export function knownLines(page: Page, { baseline, cases }: Report): string[] {
  if (!baseline || baseline.expected === 0) return [];
  const known = cases
    .flatMap(({ obligations }) => obligations)
    .flatMap(({ requirement, outcome, expected }) =>
      expected === undefined ? [] : [{ outcome, text: `${requirement} ${outcome}: ${oneLine(expected)}` }],
    );
  const open = known.filter(({ outcome }) => outcome === 'not-applicable').length;
  const parts = [
    ...(known.length > open ? [counted(known.length - open, 'known violation')] : []),
    ...(open > 0 ? [`${open} not applicable`] : []),
  ];
  const counts = new Map<string, number>();
  for (const { text } of known) counts.set(text, (counts.get(text) ?? 0) + 1);
  const lines = [...counts].flatMap(([text, count]) => hang(page, `  ${String(count).padStart(4)} `, text));
  return [
    ...hang(page, `${page.paint('dim', '≈')} `, `${parts.join(', ')}, as ${baseline.file} expects`),
    ...(page.verbose ? lines : []),
  ];
}
