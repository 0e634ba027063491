import type { Report } from './report.ts';
import { breaksUnexpectedly, standingOf } from './standing.ts';

/** The meanings of the exit code; the first that holds, from the top. */
export const exitCodes = {
  interrupted: 130,
  /** Interrupted because the terminal was closed. */
  hungUp: 129,
  usage: 2,
  /** A defect of this suite, which is never the gateway's. */
  defect: 70,
  reportNotWritten: 4,
  violated: 1,
  notJudged: 3,
  conforms: 0,
} as const;

/** Of several exit codes the one whose meaning stands first. */
export function worstCode(codes: readonly number[]): number {
  return Object.values(exitCodes).find((code) => codes.includes(code)) ?? exitCodes.conforms;
}

/** The exit code of a report. */
export function exitCode(
  report: Report,
  options: { readonly strict: boolean; readonly strictShould: boolean; readonly strictClient?: boolean },
): number {
  if (report.stopped?.kind === 'interrupted') return exitCodes.interrupted;
  const standing = standingOf(report);
  if (standing === 'violates' || standing === 'baseline-outdated') return exitCodes.violated;
  if (options.strictShould && breaksUnexpectedly(report, 'warns')) return exitCodes.violated;
  if (options.strictClient && breaksClientDuty(report)) return exitCodes.violated;
  if (standing === 'inconclusive' || report.stopped) return exitCodes.notJudged;
  if (options.strict && lacksSomething(report)) return exitCodes.notJudged;
  return exitCodes.conforms;
}

/** Whether something was not applicable that no baseline expects to be. */
function lacksSomething({ cases, models }: Report): boolean {
  return (
    cases.some(({ obligations }) =>
      obligations.some(
        ({ outcome, expected, dependsOn }) =>
          outcome === 'not-applicable' && expected === undefined && dependsOn === undefined,
      ),
    ) ||
    (models?.notJudged.some(({ outcome }) => outcome === 'not-applicable') ?? false)
  );
}

/** Whether a client broke a `must` of its own, which is no fault of the gateway's. */
function breaksClientDuty({ recording }: Report): boolean {
  return recording?.client?.duties.some(({ level, broken }) => level === 'must' && broken > 0) ?? false;
}
