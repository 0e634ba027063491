import { counted } from '../counted.ts';
import { oneLine } from '../one-line.ts';
import type { CaseReport, Report, RequirementReport } from '../report.ts';
import { hang } from '../wrap.ts';
import { markOf } from './broken.ts';
import type { Page } from './page.ts';

const shownUnstable = 8;

/** Each broken requirement in a line: where the report begins to be read, next to the prompt. */
export function summaryLines(page: Page, report: Report): string[] {
  const broken = report.requirements.flatMap((requirement) => {
    const { outcome } = requirement;
    if (outcome !== 'violates' && outcome !== 'warns') return [];
    const own = unexpected(report.cases, requirement);
    return own === 0 ? [] : [{ requirement, outcome, own }];
  });
  // A single one has just been told of.
  if (broken.length < 2) return [];
  broken.sort((a, b) => Number(a.outcome === 'warns') - Number(b.outcome === 'warns'));
  const idWidth = Math.max(...broken.map(({ requirement }) => requirement.id.length));
  return [
    page.paint('bold', 'Not kept'),
    ...broken.map(({ requirement: { id, cases, clause }, outcome, own }) => {
      const count = `${own} of ${cases.length}`.padStart(10);
      const room = page.width - idWidth - 16;
      const shown = room < 12 ? '' : `  ${page.paint('dim', oneLine(clause, room))}`;
      return `  ${markOf(page, outcome)} ${id.padEnd(idWidth)}${count}${shown}`;
    }),
  ];
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
