import { modelBreaches } from './group-models.ts';
import type { Diagnosis, Report } from './report.ts';

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

/** How a gateway stands against the specification and its baseline, as the exit code sees it. */
export type Standing = 'conforms' | 'violates' | 'as-expected' | 'baseline-outdated' | 'inconclusive';

/**
 * How a gateway stands: `violates` where it breaks something that no baseline expects, else `baseline-outdated` where
 * an entry of its baseline no longer holds, `inconclusive` where a `must` or everything is open, and `as-expected` where
 * its baseline knows of all that it violates.
 */
export function standingOf(report: Report): Standing {
  const { verdict, baseline, requirements, models, summary } = report;
  const musts = new Set(requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  if (breaksUnexpectedly(report, 'violates')) return 'violates';
  if (baseline && baseline.problems.length > 0) return 'baseline-outdated';
  if (undecidedMusts(report).length > 0 || nothingAnswered(report)) return 'inconclusive';
  const isIncomplete = report.stopped?.kind === 'missing' || report.stopped?.kind === 'recording';
  if (models?.unread !== undefined || isIncomplete) return 'inconclusive';
  if (models?.requirements.some((item) => item.models.inconclusive > 0 && musts.has(item.id)))
    return 'inconclusive';
  const { conforms, warns } = summary.cases;
  if (verdict === 'inconclusive') return conforms + warns > 0 ? 'as-expected' : 'inconclusive';
  return verdict === 'violates' ? 'as-expected' : verdict;
}

/** Whether no good call succeeded at all: what a baseline accepts of such a run says nothing of the gateway. */
export function nothingAnswered({ diagnosis }: Pick<Report, 'diagnosis'>): boolean {
  return diagnosis.some(({ kind }) => general.includes(kind));
}

const general: readonly Diagnosis['kind'][] = ['key-refused', 'wrong-path', 'unreachable', 'no-good-call'];

/** The ids of the `must`s that could not be judged and that no baseline accepts, in the order of the report. */
export function undecidedMusts({ requirements, cases }: Report): string[] {
  const undecided = new Set(
    cases.flatMap(({ obligations }) =>
      obligations
        .filter(({ outcome, expected }) => outcome === 'inconclusive' && expected === undefined)
        .map(({ requirement }) => requirement),
    ),
  );
  return requirements.filter(({ id, level }) => level === 'must' && undecided.has(id)).map(({ id }) => id);
}

/** Whether anything is broken with that outcome that no baseline expects, in a case that the report shows or in another. */
export function breaksUnexpectedly(report: Report, outcome: 'violates' | 'warns'): boolean {
  return (
    report.cases.some(({ obligations }) =>
      obligations.some((item) => item.outcome === outcome && item.expected === undefined),
    ) || modelBreaches(report).some((breach) => breach.outcome === outcome && breach.known === undefined)
  );
}

/** What is said of a gateway, behind its name. */
export const standingWords: Readonly<Record<Standing, string>> = {
  conforms: 'conforms',
  violates: 'violates',
  'as-expected': 'violates as its baseline expects',
  'baseline-outdated': 'has a stale baseline',
  inconclusive: 'inconclusive',
};
