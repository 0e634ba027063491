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
  const problems = deviations.parts.flatMap((part) => findProblem(part, today, isWhole) ?? []);
  return { ...report, deviations: { ...deviations, problems } };
}

function findProblem(
  { id, reason, until, place, used, judged }: DeclaredPartReport,
  today: string,
  isWhole: boolean,
): DeviationProblem | undefined {
  const why = reason === undefined ? '' : ` (${reason})`;
  if (until !== undefined && until < today)
    return {
      place,
      status: 'expired',
      message: `The deviation ${id} expired after ${until}${why}. Remove it, or extend \`until\`.`,
    };
  if (!isWhole || used > 0 || judged === 0) return undefined;
  return {
    place,
    status: 'stale',
    message: `No response needs the deviation ${id}. Remove it.`,
  };
}
