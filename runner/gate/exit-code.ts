import { isKept } from '../judge/outcome.ts';
import { isInScope, severityOfCheck } from '../judge/severity.ts';
import { collectModelFailures } from '../report/model-failures.ts';
import type { CheckReport, ClientDutyReport, Diagnosis, Report } from '../report/report.ts';

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
  const { result, unexpected, violatedDuties } = decideGate(report);
  if (failingResults.includes(result)) return exitCodes.violated;
  if (options.strictShould && unexpected.warns > 0) return exitCodes.violated;
  if (options.strictClient && violatedDuties.length > 0) return exitCodes.violated;
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

/** The result of a report after the baseline was applied. */
export type OverallResult =
  | 'conforms'
  | 'as-declared'
  | 'violates'
  | 'as-expected'
  | 'in-scope'
  | 'baseline-outdated'
  | 'deviations-outdated'
  | 'inconclusive';

/** The results that fail a build. */
export const failingResults: readonly OverallResult[] = [
  'violates',
  'baseline-outdated',
  'deviations-outdated',
];

/** What a report and its baseline decide. */
export interface Gate {
  readonly result: OverallResult;
  /** The numbers of checks that the baseline doesn't expect and expects, with those that the report only counts. */
  readonly unexpected: FailedCounts;
  readonly expected: FailedCounts;
  /** The number of violations that are less severe than the scope of the gate, and that the baseline doesn't expect. */
  readonly outOfScope: number;
  /** The IDs of the `must` requirements with an inconclusive check that the baseline does not expect. */
  readonly inconclusiveMusts: readonly string[];
  /** The violated client duties of level `must`. With `--strict-client`, these duties fail the command. */
  readonly violatedDuties: readonly ClientDutyReport[];
}

export interface FailedCounts {
  readonly violates: number;
  readonly warns: number;
  readonly inconclusive: number;
}

/** Decides whether a report passes, with the baseline that was applied to it. */
export function decideGate(report: Report): Gate {
  const unexpected = { violates: 0, warns: 0, inconclusive: 0 };
  const expected = { violates: 0, warns: 0, inconclusive: 0 };
  let outOfScope = 0;
  const isOutOfScope = ({
    outcome,
    severity,
    expected: known,
  }: Pick<CheckReport, 'outcome' | 'severity' | 'expected'>): boolean =>
    outcome === 'violates' && known === undefined && !isInScope(severityOfCheck({ severity }), report.scope);
  const undecided = new Set<string>();
  for (const { checks } of report.cases)
    for (const check of checks) {
      const { outcome } = check;
      if (isKept(outcome) || outcome === 'not-applicable') continue;
      if (isOutOfScope(check)) outOfScope += 1;
      else (check.expected === undefined ? unexpected : expected)[outcome] += 1;
      if (outcome === 'inconclusive' && check.expected === undefined) undecided.add(check.requirement);
    }
  for (const { outcome, known, unshown, severity } of collectModelFailures(report)) {
    if (isOutOfScope({ outcome, severity, expected: known })) outOfScope += unshown;
    else (known === undefined ? unexpected : expected)[outcome] += unshown;
  }
  const inconclusiveMusts = listMusts(report).filter((id) => undecided.has(id));
  const duties = report.recording?.client?.duties ?? [];
  return {
    result: decideResult(report, unexpected, inconclusiveMusts, outOfScope),
    unexpected,
    expected,
    outOfScope,
    inconclusiveMusts,
    violatedDuties: duties.filter(({ level, broken }) => level === 'must' && broken > 0),
  };
}

/**
 * Returns the first result that applies. `violates`: the report has a violation that the baseline does not expect.
 * `baseline-outdated`, `deviations-outdated`: a baseline entry or a declared deviation fails the run. `inconclusive`: a `must` check is inconclusive and the
 * baseline does not expect the result, `hasNoGoodCall` returns true, nothing could be judged, the model list could
 * not be read, or a recording or merge is incomplete. `as-expected`: the report has violations or inconclusive `must`
 * checks, and the baseline expects all of these violations and checks. `in-scope`: every violation that the baseline does
 * not expect is less severe than the scope. `as-declared`: nothing is violated, and some
 * responses are what the profile declares instead. `conforms`: every other report.
 */
function decideResult(
  report: Report,
  unexpected: FailedCounts,
  inconclusiveMusts: readonly string[],
  outOfScope: number,
): OverallResult {
  const { verdict, baseline, deviations, models, summary } = report;
  if (unexpected.violates > 0) return 'violates';
  if (baseline && baseline.problems.length > 0) return 'baseline-outdated';
  if (deviations && deviations.problems.length > 0) return 'deviations-outdated';
  if (inconclusiveMusts.length > 0 || hasNoGoodCall(report)) return 'inconclusive';
  const isIncomplete = report.stopped?.kind === 'recording';
  if (models?.unread !== undefined || isIncomplete) return 'inconclusive';
  const musts = new Set(listMusts(report));
  if (models?.requirements.some((item) => item.models.inconclusive > 0 && musts.has(item.id)))
    return 'inconclusive';
  if (outOfScope > 0) return 'in-scope';
  const { conforms, deviates, warns } = summary.cases;
  if (verdict === 'inconclusive') return conforms + deviates + warns > 0 ? 'as-expected' : 'inconclusive';
  return verdict === 'violates' ? 'as-expected' : verdict;
}

function listMusts({ requirements }: Report): string[] {
  return requirements.flatMap(({ id, level }) => (level === 'must' ? [id] : []));
}

/**
 * Whether the diagnosis is that no valid call succeeded or that the valid key was rejected. A baseline cannot make
 * such a run pass.
 */
export function hasNoGoodCall({ diagnosis }: Pick<Report, 'diagnosis'>): boolean {
  return diagnosis.some(({ kind }) => general.includes(kind));
}

const general: readonly Diagnosis['kind'][] = ['key-refused', 'wrong-path', 'unreachable', 'no-good-call'];
