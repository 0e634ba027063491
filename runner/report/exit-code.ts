import type { Report } from './report.ts';

/** The meanings of the exit code; the first that holds, from the top. */
export const exitCodes = {
  interrupted: 130,
  usage: 2,
  /** A defect of this suite, which is never the gateway's. */
  defect: 70,
  reportNotWritten: 4,
  violated: 1,
  notJudged: 3,
  conforms: 0,
} as const;

/** The exit code of a report. */
export function exitCode(
  report: Report,
  options: { readonly strict: boolean; readonly strictShould: boolean },
): number {
  if (report.interrupted) return exitCodes.interrupted;
  if (report.verdict === 'violates') return exitCodes.violated;
  if (options.strictShould && report.summary.cases.warns > 0) return exitCodes.violated;
  if (report.verdict === 'inconclusive' || report.diagnosis.some(({ kind }) => kind === 'unreachable'))
    return exitCodes.notJudged;
  if (options.strict && report.summary.cases.notApplicable > 0) return exitCodes.notJudged;
  return exitCodes.conforms;
}
