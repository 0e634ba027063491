import { pluralize } from '../../../common/lists.ts';
import { formatOneLine } from '../../../common/printable.ts';
import { clip, columnsOf, padTo, wrapWords } from '../../../common/wrap.ts';
import { isUnexplained } from '../../gate/update-baseline.ts';
import { isFailed, type Outcome } from '../../judge/outcome.ts';
import type { CaseReport, Report, RequirementReport } from '../../report/report.ts';
import { formatDeviationCount, formatExtent } from '../../view/deviations.ts';
import { groupProblems } from '../../view/problems.ts';
import { knownLook, outcomeLooks, unstableLook } from '../../view/signs.ts';
import type { View } from '../../view/view.ts';
import { formatFirstLines, type PageStyle, paintSign, signOf } from './page.ts';

const shownUnstable = 8;

/**
 * Formats the requirements with failures that the baseline does not expect, one on each line; empty for fewer than
 * two such requirements.
 */
export function formatSummaryLines(page: PageStyle, view: View): string[] {
  const broken = view.report.requirements.flatMap((requirement): Row[] => {
    const { outcome } = requirement;
    if (!isFailed(outcome)) return [];
    const count = formatCount(view, requirement);
    return count === '' ? [] : [{ requirement, outcome, count }];
  });
  // If only one requirement failed, its cause already shows the requirement.
  if (broken.length < 2) return [];
  const of = (outcome: Row['outcome']): Row[] => broken.filter((row) => row.outcome === outcome);
  return [
    ...rowLines(page, 'Failed', of('violates'), broken),
    ...rowLines(page, 'Warnings', of('warns'), broken),
  ];
}

interface Row {
  readonly requirement: RequirementReport;
  readonly outcome: 'violates' | 'warns';
  readonly count: string;
}

/** Formats rows under a title, in columns that are wide enough for all rows of both titles. */
function rowLines(page: PageStyle, title: string, rows: readonly Row[], all: readonly Row[]): string[] {
  if (rows.length === 0) return [];
  const countWidth = Math.max(10, ...all.map(({ count }) => count.length + 2));
  const idWidth = Math.max(...all.map(({ requirement }) => columnsOf(requirement.id)));
  return [
    page.paint('bold', title),
    ...rows.map(({ requirement: { id, says }, outcome, count }) => {
      const room = page.width - idWidth - countWidth - 6;
      const shown = room < 12 ? '' : `  ${page.paint('dim', clip(says, room))}`;
      return `  ${signOf(page, outcome)} ${padTo(id, idWidth)}${count.padStart(countWidth)}${shown}`;
    }),
  ];
}

/**
 * Formats the number of cases and of listed models in which a requirement fails unexpectedly; an empty string if no
 * such case or model exists.
 */
function formatCount(
  { report, failedChecks, judged, modelFailures }: View,
  { id, outcome }: RequirementReport,
): string {
  const isUnexpected = (failure: {
    readonly outcome: Outcome;
    readonly known: string | undefined;
  }): boolean => failure.outcome === outcome && failure.known === undefined;
  const ofSuites = ({ model }: CaseReport): boolean => model === undefined;
  const broken = failedChecks.filter(
    (check) => check.requirement.id === id && ofSuites(check.item) && isUnexpected(check),
  ).length;
  const among = (judged.get(id) ?? []).filter(ofSuites).length;
  const models = modelFailures.filter(
    (failure) => failure.requirement === id && isUnexpected(failure),
  ).length;
  const counts = report.models?.requirements.find((item) => item.id === id)?.models;
  return [
    ...(broken > 0 ? [`${broken} of ${among}`] : []),
    ...(models > 0 ? [`${models} of ${counts ? counts.planned - counts.notApplicable : 0} models`] : []),
  ].join(', ');
}

/**
 * Formats the number of requests that got a 5xx or no response in one attempt, and a different response in another
 * attempt; empty if no such request exists.
 */
export function formatRecoveredLines(page: PageStyle, { observations }: Report): string[] {
  const recovered = observations.filter(({ kind }) => kind === 'unstable').length;
  if (recovered === 0) return [];
  const more = page.verbose ? '' : page.paint('dim', ' (listed with --verbose)');
  return wrapWords(
    page,
    page.paint('bold', 'Unstable      '),
    `${pluralize(recovered, 'request')} got a 5xx or no response in one attempt, and a different response in another attempt${more}`,
  );
}

/**
 * Formats the cases that passed in one round and failed in another round; empty if no such case exists. Without
 * `--verbose`, shows at most 8 cases.
 */
export function formatUnstableLines(page: PageStyle, { cases, rounds }: Report): string[] {
  const unstable = cases.filter((item) => item.unstable);
  if (unstable.length === 0) return [];
  return [
    `${page.paint('bold', 'Unstable')}  ${pluralize(unstable.length, 'case')} with different results in ${rounds} rounds`,
    ...formatFirstLines(page, { items: unstable, most: shownUnstable }, ({ id, outcomes = [] }) => {
      const bad = outcomes.filter((outcome) => outcome === 'violates').length;
      return wrapWords(
        page,
        `  ${paintSign(page, unstableLook)} `,
        `${id}  ${page.paint('dim', `failed in ${bad} of ${pluralize(outcomes.length, 'round')}`)}`,
      );
    }),
  ];
}

/** Formats up to `most` baseline entries, and as many declared deviations, that fail the run; empty if there are none. */
export function formatProblemLines(
  page: PageStyle,
  report: Report,
  most = Number.POSITIVE_INFINITY,
): string[] {
  return groupProblems(report).flatMap(({ problems }) =>
    formatFirstLines(page, { items: problems, most, noun: 'problem' }, ({ status, place, message }) =>
      wrapWords(
        page,
        `${signOf(page, 'violates')} `,
        `${page.paint('bold', status)}  ${formatOneLine(place)}: ${formatOneLine(message)}`,
      ),
    ),
  );
}

/** Formats the number of declared deviations, for a line of a report that does not list them; empty if there are none. */
export function formatDeclared({ deviations }: View): string {
  return deviations ? `${formatDeviationCount(deviations)} (listed with --verbose)` : '';
}

/** Formats the declared deviations, one after another; empty if there are none. */
export function formatDeviationLines(page: PageStyle, { deviations }: View): string[] {
  if (!deviations) return [];
  return [
    `${page.paint('bold', 'Declared')}  ${formatDeviationCount(deviations)}`,
    ...deviations.all.flatMap((deviation) => {
      const { id, declares, reason } = deviation;
      const about = formatExtent(deviation) + (reason === undefined ? '' : `: ${reason}`);
      return wrapWords(
        page,
        `${signOf(page, 'deviates')} `,
        `${formatOneLine(id)}: ${formatOneLine(declares)}  ${page.paint('dim', formatOneLine(about))}`,
        2,
      );
    }),
  ];
}

/**
 * Formats the number of checks whose outcome the baseline expects; empty if no such check exists. `--verbose` adds
 * the reasons.
 */
export function formatKnownLines(page: PageStyle, { baseline, cases }: Report): string[] {
  if (!baseline || baseline.expected === 0) return [];
  const known = cases
    .flatMap(({ checks }) => checks)
    .flatMap(({ requirement, outcome, expected }) =>
      expected === undefined
        ? []
        : [
            {
              outcome,
              expected,
              text: `${requirement} ${outcomeLooks[outcome].word}: ${formatOneLine(expected)}`,
            },
          ],
    );
  const numberOf = (...outcomes: Outcome[]): number =>
    known.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const [violations, undecided, open] = [
    numberOf('violates', 'warns'),
    numberOf('inconclusive'),
    numberOf('not-applicable'),
  ];
  const unexplained = known.filter(({ expected }) => isUnexplained(expected)).length;
  const parts = [
    ...(violations > 0 ? [pluralize(violations, 'violation')] : []),
    ...(undecided > 0 ? [`${undecided} inconclusive`] : []),
    ...(open > 0 ? [`${open} not applicable`] : []),
  ];
  const counts = new Map<string, number>();
  for (const { text } of known) counts.set(text, (counts.get(text) ?? 0) + 1);
  const lines = [...counts].flatMap(([text, count]) =>
    wrapWords(page, `  ${String(count).padStart(4)} `, text),
  );
  return [
    ...wrapWords(
      page,
      `${paintSign(page, knownLook)} `,
      `${page.paint('bold', 'Expected')}  ${parts.join(', ')}, listed in ${formatOneLine(baseline.file)}`,
    ),
    ...(unexplained > 0
      ? wrapWords(
          page,
          '  ',
          `${pluralize(unexplained, 'check')} without a reason: replace each TODO in ${formatOneLine(baseline.file)}.`,
        )
      : []),
    ...(page.verbose ? lines : []),
  ];
}
