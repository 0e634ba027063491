import { pluralize } from '../../common/lists.ts';
import type { Outcome } from '../judge/outcome.ts';
import { collectModelFailures } from '../report/group-models.ts';
import type { CheckReport, ClientDutyReport, Diagnosis, Report } from '../report/report.ts';
import type { BaselineProblem } from '../report/report-sections.ts';

/** The exit codes of the command. If several exit codes apply, the first of these codes counts. */
export const exitCodes = {
  interrupted: 130,
  /** The terminal was closed. */
  hungUp: 129,
  usage: 2,
  /** An internal error of this tool. */
  defect: 70,
  reportNotWritten: 4,
  violated: 1,
  notJudged: 3,
  conforms: 0,
} as const;

/** Returns the exit code that comes first in `exitCodes`, or 0 for an empty list. */
export function chooseWorstCode(codes: readonly number[]): number {
  return Object.values(exitCodes).find((code) => codes.includes(code)) ?? exitCodes.conforms;
}

/**
 * Returns the exit code of a report. An unexpected warning (with `strictShould`) and a violated `must` of clients
 * (with `strictClient`) count as violations. With `strict`, most checks that are not applicable count as not judged.
 * `hasNotApplicable` defines the exceptions.
 */
export function chooseExitCode(
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
 * Whether any check is not applicable. Ignores checks that depend on a violated requirement, and checks in cases of
 * the report that the baseline expects.
 */
function hasNotApplicable({ cases, models }: Report): boolean {
  return (
    cases.some(({ checks }) =>
      checks.some((check) => isOwnNotApplicable(check) && check.expected === undefined),
    ) ||
    (models?.notJudged.some(isOwnNotApplicable) ?? false)
  );
}

function isOwnNotApplicable({ outcome, dependsOn }: Pick<CheckReport, 'outcome' | 'dependsOn'>): boolean {
  return outcome === 'not-applicable' && dependsOn === undefined;
}

/** Returns the violated client duties of level `must`. With `--strict-client`, these duties fail the command. */
export function listViolatedClientDuties({ recording }: Pick<Report, 'recording'>): ClientDutyReport[] {
  return (recording?.client?.duties ?? []).filter(({ level, broken }) => level === 'must' && broken > 0);
}

/** The result of a report after the baseline was applied. */
export type OverallResult = 'conforms' | 'violates' | 'as-expected' | 'baseline-outdated' | 'inconclusive';

/**
 * Returns the first result that applies. `violates`: the report has a violation that the baseline does not expect.
 * `baseline-outdated`: a baseline entry fails the run. `inconclusive`: a `must` check is inconclusive and the
 * baseline does not expect the result, `hasNoGoodCall` returns true, nothing could be judged, the model list could
 * not be read, or a recording or merge is incomplete. `as-expected`: the report has violations or inconclusive `must`
 * checks, and the baseline expects all of these violations and checks. `conforms`: every other report.
 */
export function overallResultOf(report: Report): OverallResult {
  const { verdict, baseline, requirements, models, summary } = report;
  const musts = new Set(requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : [])));
  if (hasUnexpected(report, 'violates')) return 'violates';
  if (baseline && baseline.problems.length > 0) return 'baseline-outdated';
  if (listInconclusiveMusts(report).length > 0 || hasNoGoodCall(report)) return 'inconclusive';
  const isIncomplete = report.stopped?.kind === 'missing' || report.stopped?.kind === 'recording';
  if (models?.unread !== undefined || isIncomplete) return 'inconclusive';
  if (models?.requirements.some((item) => item.models.inconclusive > 0 && musts.has(item.id)))
    return 'inconclusive';
  const { conforms, warns } = summary.cases;
  if (verdict === 'inconclusive') return conforms + warns > 0 ? 'as-expected' : 'inconclusive';
  return verdict === 'violates' ? 'as-expected' : verdict;
}

/**
 * Whether the diagnosis is that no valid call succeeded or that the valid key was rejected. A baseline cannot make
 * such a run pass.
 */
export function hasNoGoodCall({ diagnosis }: Pick<Report, 'diagnosis'>): boolean {
  return diagnosis.some(({ kind }) => general.includes(kind));
}

const general: readonly Diagnosis['kind'][] = ['key-refused', 'wrong-path', 'unreachable', 'no-good-call'];

/** Returns the IDs of the `must` requirements with an inconclusive check that the baseline does not expect. */
export function listInconclusiveMusts({ requirements, cases }: Report): string[] {
  const undecided = new Set(
    cases.flatMap(({ checks }) =>
      checks
        .filter(({ outcome, expected }) => outcome === 'inconclusive' && expected === undefined)
        .map(({ requirement }) => requirement),
    ),
  );
  return requirements.filter(({ id, level }) => level === 'must' && undecided.has(id)).map(({ id }) => id);
}

/**
 * Whether any check has this outcome although the baseline does not expect the outcome. Includes the checks of listed
 * models that the report does not contain.
 */
export function hasUnexpected(report: Report, outcome: 'violates' | 'warns'): boolean {
  return (
    report.cases.some(({ checks }) =>
      checks.some((item) => item.outcome === outcome && item.expected === undefined),
    ) ||
    collectModelFailures(report).some((failure) => failure.outcome === outcome && failure.known === undefined)
  );
}

/** The phrase for each result, which follows the name of a gateway or is the cell of a table. */
export const overallResultWords: Readonly<Record<OverallResult, string>> = {
  conforms: 'conforms',
  violates: 'violates',
  'as-expected': 'passed with expected violations (baseline)',
  'baseline-outdated': 'has a stale baseline',
  inconclusive: 'inconclusive',
};

/** Formats the reason why a baseline entry fails the run as the first word of a title. Default: `Stale`. */
export function formatProblemStatus({ status = 'stale' }: BaselineProblem): string {
  return { stale: 'Stale', expired: 'Expired', 'matches-nothing': 'Unmatched' }[status];
}

/** Formats the result of a report as a phrase, such as `passed with 3 expected violations (baseline)`. */
export function formatOverallResult(report: Report): string {
  const result = overallResultOf(report);
  return result === 'as-expected'
    ? `passed with ${formatExpectedChecks(report)} (baseline)`
    : overallResultWords[result];
}

/**
 * Formats the number of expected violations, such as `3 expected violations`. If no violation is expected, formats
 * the number of expected inconclusive checks.
 */
export function formatExpectedChecks(report: Report): string {
  const count = (outcome: Outcome): number =>
    report.cases
      .flatMap(({ checks }) => checks)
      .filter((check) => check.outcome === outcome && check.expected !== undefined).length;
  const unshown = collectModelFailures(report)
    .filter(({ outcome, known }) => outcome === 'violates' && known !== undefined)
    .reduce((sum, failure) => sum + failure.unshown, 0);
  const violations = count('violates') + unshown;
  return violations > 0
    ? pluralize(violations, 'expected violation')
    : pluralize(count('inconclusive'), 'expected inconclusive check');
}
