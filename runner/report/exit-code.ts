import type { Outcome } from '../judge/outcome.ts';
import { pluralize } from '../text/lists.ts';
import { collectModelFailures } from './group-models.ts';
import type { ClientDutyReport, Diagnosis, Report } from './report.ts';

/** The exit codes. If several apply, the first one counts. */
export const exitCodes = {
  interrupted: 130,
  /** Interrupted because the terminal was closed. */
  hungUp: 129,
  usage: 2,
  /** An internal error in this tool. */
  defect: 70,
  reportNotWritten: 4,
  violated: 1,
  notJudged: 3,
  conforms: 0,
} as const;

/** Returns the first of several exit codes, in the order of `exitCodes`. */
export function worstCode(codes: readonly number[]): number {
  return Object.values(exitCodes).find((code) => codes.includes(code)) ?? exitCodes.conforms;
}

/** Returns the exit code of a report. */
export function exitCode(
  report: Report,
  options: { readonly strict: boolean; readonly strictShould: boolean; readonly strictClient?: boolean },
): number {
  if (report.stopped?.kind === 'interrupted') return exitCodes.interrupted;
  const result = overallResultOf(report);
  if (result === 'violates' || result === 'baseline-outdated') return exitCodes.violated;
  if (options.strictShould && hasUnexpected(report, 'warns')) return exitCodes.violated;
  if (options.strictClient && listViolatedClientDuties(report).length > 0) return exitCodes.violated;
  if (result === 'inconclusive' || report.stopped) return exitCodes.notJudged;
  if (options.strict && hasNotApplicable(report)) return exitCodes.notJudged;
  return exitCodes.conforms;
}

/**
 * Whether a check was not applicable. Ignores checks whose outcome the baseline expects, and checks that depend on a
 * violated requirement.
 */
function hasNotApplicable({ cases, models }: Report): boolean {
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

/** Lists the client duties of level `must` that were violated. With `--strict-client`, the exit code depends on them. */
export function listViolatedClientDuties({ recording }: Pick<Report, 'recording'>): ClientDutyReport[] {
  return (recording?.client?.duties ?? []).filter(({ level, broken }) => level === 'must' && broken > 0);
}

/** The result of a run, with its baseline taken into account. */
export type OverallResult = 'conforms' | 'violates' | 'as-expected' | 'baseline-outdated' | 'inconclusive';

/**
 * Returns the result of a run. The first result that applies counts: `violates` if there is a violation that
 * the baseline does not expect; `baseline-outdated` if a baseline entry is stale; `inconclusive` if a `must`,
 * or everything, could not be judged, or the report is incomplete; `as-expected` if the baseline expects all
 * violations; otherwise `conforms`.
 */
export function overallResultOf(report: Report): OverallResult {
  const { verdict, baseline, requirements, models, summary } = report;
  const musts = new Set(requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  if (hasUnexpected(report, 'violates')) return 'violates';
  if (baseline && baseline.problems.length > 0) return 'baseline-outdated';
  if (inconclusiveMusts(report).length > 0 || hasNoGoodCall(report)) return 'inconclusive';
  const isIncomplete = report.stopped?.kind === 'missing' || report.stopped?.kind === 'recording';
  if (models?.unread !== undefined || isIncomplete) return 'inconclusive';
  if (models?.requirements.some((item) => item.models.inconclusive > 0 && musts.has(item.id)))
    return 'inconclusive';
  const { conforms, warns } = summary.cases;
  if (verdict === 'inconclusive') return conforms + warns > 0 ? 'as-expected' : 'inconclusive';
  return verdict === 'violates' ? 'as-expected' : verdict;
}

/** Whether no valid call succeeded. A baseline cannot make such a run pass. */
export function hasNoGoodCall({ diagnosis }: Pick<Report, 'diagnosis'>): boolean {
  return diagnosis.some(({ kind }) => general.includes(kind));
}

const general: readonly Diagnosis['kind'][] = ['key-refused', 'wrong-path', 'unreachable', 'no-good-call'];

/** Lists the IDs of the `must` requirements that are inconclusive although the baseline does not expect this outcome. */
export function inconclusiveMusts({ requirements, cases }: Report): string[] {
  const undecided = new Set(
    cases.flatMap(({ obligations }) =>
      obligations
        .filter(({ outcome, expected }) => outcome === 'inconclusive' && expected === undefined)
        .map(({ requirement }) => requirement),
    ),
  );
  return requirements.filter(({ id, level }) => level === 'must' && undecided.has(id)).map(({ id }) => id);
}

/** Whether any check, shown or not, has this outcome although the baseline does not expect it. */
export function hasUnexpected(report: Report, outcome: 'violates' | 'warns'): boolean {
  return (
    report.cases.some(({ obligations }) =>
      obligations.some((item) => item.outcome === outcome && item.expected === undefined),
    ) ||
    collectModelFailures(report).some((failure) => failure.outcome === outcome && failure.known === undefined)
  );
}

/** The phrase for each result of a run, after the name of the gateway or in a table. */
export const overallResultWords: Readonly<Record<OverallResult, string>> = {
  conforms: 'conforms',
  violates: 'violates',
  'as-expected': 'passed with expected violations (baseline)',
  'baseline-outdated': 'has a stale baseline',
  inconclusive: 'inconclusive',
};

/** Formats the result of a report as a phrase, such as `passed with 3 expected violations (baseline)`. */
export function formatOverallResult(report: Report): string {
  const result = overallResultOf(report);
  return result === 'as-expected'
    ? `passed with ${formatExpectedChecks(report)} (baseline)`
    : overallResultWords[result];
}

/** Formats the number of violations that the baseline expects or, if it expects none, of expected inconclusive checks. */
export function formatExpectedChecks(report: Report): string {
  const count = (outcome: Outcome): number =>
    report.cases
      .flatMap(({ obligations }) => obligations)
      .filter((check) => check.outcome === outcome && check.expected !== undefined).length;
  const unshown = collectModelFailures(report)
    .filter(({ outcome, known }) => outcome === 'violates' && known !== undefined)
    .reduce((sum, failure) => sum + failure.unshown, 0);
  const violations = count('violates') + unshown;
  return violations > 0
    ? pluralize(violations, 'expected violation')
    : pluralize(count('inconclusive'), 'expected inconclusive check');
}
