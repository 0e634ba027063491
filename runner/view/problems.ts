import { groupBy } from '../../common/lists.ts';
import type { Report } from '../report/report.ts';
import type { BaselineProblem, DeviationProblem } from '../report/report-sections.ts';

/** A baseline entry or a declared deviation that fails the run, since it is outdated. */
export interface Problem {
  readonly of: 'baseline' | 'deviations';
  /** Such as `Stale`. */
  readonly status: string;
  /** The file and the line, such as `known.yaml:3`. */
  readonly place: string;
  readonly message: string;
}

/** The title of the problems, and the word for one. */
export const problemWords: Readonly<
  Record<Problem['of'], { readonly title: string; readonly noun: string }>
> = {
  baseline: { title: 'Baseline entries that fail the run', noun: 'baseline entry' },
  deviations: { title: 'Declared deviations that fail the run', noun: 'deviation' },
};

type Source = Pick<Report, 'baseline' | 'deviations'>;

/** Returns the problems of the baseline, then those of the declared deviations. */
export function listProblems({ baseline, deviations }: Source): Problem[] {
  return [
    ...(baseline?.problems ?? []).map(({ line, message, status }) => ({
      of: 'baseline' as const,
      status: nameOfStatus(status),
      place: `${baseline?.file}:${line}`,
      message,
    })),
    ...(deviations?.problems ?? []).map(({ place, message, status }) => ({
      of: 'deviations' as const,
      status: nameOfStatus(status),
      place,
      message,
    })),
  ];
}

/** Returns the problems under their titles. */
export function groupProblems(source: Source): { readonly title: string; readonly problems: Problem[] }[] {
  return groupBy(listProblems(source), (problem) => problem.of).map(([of, problems]) => ({
    title: problemWords[of].title,
    problems,
  }));
}

function nameOfStatus(status: BaselineProblem['status'] | DeviationProblem['status'] = 'stale'): string {
  return { stale: 'Stale', expired: 'Expired', 'matches-nothing': 'Unmatched' }[status];
}
