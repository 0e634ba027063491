import { formatFirst, groupBy } from '../../common/lists.ts';
import type { Report } from '../report/report.ts';
import type { DeclaredPartReport, DeviationProblem } from '../report/report-sections.ts';

/**
 * Returns a report with the problems of the declared deviations that fail the run: those that expired, and those that a
 * run of all cases did not need. `today` is a date such as 2027-01-31.
 */
export function applyDeviations(report: Report, today: string): Report {
  const { deviations, suite } = report;
  if (!deviations) return report;
  const isWhole =
    suite?.isSelection === false && report.stopped === null && !report.shard && !report.recording;
  const isExpired = ({ until }: DeclaredPartReport): boolean => until !== undefined && until < today;
  // The names at one place have one date.
  const problems = groupBy(deviations.parts, ({ place }) => place).flatMap(([, parts]) =>
    parts.some(isExpired) ? describeExpired(parts) : isWhole ? parts.flatMap(describeStale) : [],
  );
  return { ...report, deviations: { ...deviations, problems } };
}

const shownNames = 2;

function describeExpired(parts: readonly DeclaredPartReport[]): DeviationProblem[] {
  return parts.slice(0, 1).map(({ place, until, reason }) => {
    const ids = formatFirst(
      parts.map(({ id }) => id),
      shownNames,
    );
    const why = reason === undefined ? '' : ` (${reason})`;
    const message =
      parts.length === 1
        ? `The deviation ${ids} expired after ${until}${why}. Remove it, or extend \`until\`.`
        : `The deviations ${ids} expired after ${until}${why}. Remove them, or extend \`until\`.`;
    return { place, status: 'expired', message };
  });
}

function describeStale({ id, place, used, judged }: DeclaredPartReport): DeviationProblem[] {
  if (used > 0 || judged === 0) return [];
  return [{ place, status: 'stale', message: `No response needs the deviation ${id}. Remove it.` }];
}
