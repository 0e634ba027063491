import type { CheckResults } from '../gate/baseline.ts';
import { exitCodes } from '../gate/exit-code.ts';
import { rankOf, severityOfCheck } from '../judge/severity.ts';
import type { CheckReport, Report } from '../report/report.ts';
import { describeResult, groupChecks, isJudgedOutcome, pairChecks } from './pair-checks.ts';

export type ComparedReport = CheckResults &
  Pick<Report, 'tool' | 'spec' | 'target' | 'shard' | 'stopped' | 'verdict' | 'startedAt'>;

/** The possible changes of a check from one report to the next, the worst first. */
export const changes = [
  'newly-violated',
  'more-severe',
  'violated-not-judged-before',
  'no-longer-judged',
  'newly-warned',
  'other-findings',
  'fixed',
  'newly-judged',
  'added',
  'removed',
] as const;
export type Change = (typeof changes)[number];

/** A requirement, and the cases in which the check of the requirement has the same change. */
export interface RequirementChange {
  readonly change: Change;
  readonly requirement: string;
  readonly cases: readonly string[];
  /**
   * The findings in the first case, or the reason why the check was not judged; undefined if the report has neither.
   * `was` is from the earlier report, and `is` from the later report.
   */
  readonly was: string | undefined;
  readonly is: string | undefined;
}

export interface ReportDiff {
  readonly was: Pick<Report, 'verdict' | 'startedAt'>;
  readonly is: Pick<Report, 'verdict' | 'startedAt'>;
  /**
   * Differences between the runs that may explain different outcomes, such as the version of the tool or the base
   * URL.
   */
  readonly caveats: readonly string[];
  /** The changes, sorted by severity (the worst first), and then by the order of the checks in the later report. */
  readonly changes: readonly RequirementChange[];
}

/** Returns the differences between two reports, compared check by check. */
export function diffReports(was: ComparedReport, is: ComparedReport): ReportDiff {
  const sameTool = was.tool.version === is.tool.version && was.spec.revision === is.spec.revision;
  const groups = groupChecks(pairChecks([is, was]), ({ results: [present, old] }) =>
    changeOf(old, present, sameTool),
  );
  const found = groups.map(({ kind, requirement, first, checks }): RequirementChange => {
    const [present, old] = first.results;
    return {
      change: kind,
      requirement,
      cases: checks.map((check) => check.case),
      was: describeResult(old),
      is: describeResult(present),
    };
  });
  return {
    was: { verdict: was.verdict, startedAt: was.startedAt },
    is: { verdict: is.verdict, startedAt: is.startedAt },
    caveats: caveatsOf(was, is),
    changes: found.sort((a, b) => changes.indexOf(a.change) - changes.indexOf(b.change)),
  };
}

/**
 * Returns the exit code of a diff, by the first rule that applies:
 * - 1 if a check is newly violated, or violated more severely than before
 * - 3 if a violated check was not judged before, or if a check is no longer judged
 * - 0 for any other diff
 */
export function chooseDiffExitCode({ changes }: ReportDiff): number {
  const has = (kind: Change): boolean => changes.some(({ change }) => change === kind);
  if (has('newly-violated') || has('more-severe')) return exitCodes.violated;
  const undecided = has('violated-not-judged-before') || has('no-longer-judged');
  return undecided ? exitCodes.notJudged : exitCodes.conforms;
}

/**
 * Returns the change of a check; undefined if the check did not change, or has other findings of the same kinds. Also
 * returns undefined if the check was judged in neither report, unless `sameTool` is false and only one report
 * contains the check. `sameTool`: whether the tool and the requirements have the same versions. If the versions are
 * the same, a check that only one report contains counts as not judged in the other report.
 */
export function changeOf(
  old: CheckReport | undefined,
  present: CheckReport | undefined,
  sameTool: boolean,
): Change | undefined {
  const [was, is] = [old?.outcome, present?.outcome];
  if (is === 'violates' && was !== 'violates')
    return isJudgedOutcome(was) ? 'newly-violated' : 'violated-not-judged-before';
  if (is === 'violates' && old && present && rankOf(severityOfCheck(present)) < rankOf(severityOfCheck(old)))
    return 'more-severe';
  if (is === undefined && !sameTool) return 'removed';
  if (was === undefined && !sameTool) return is === 'warns' ? 'newly-warned' : 'added';
  if (isJudgedOutcome(was) && !isJudgedOutcome(is)) return 'no-longer-judged';
  if (is === 'warns' && was !== 'warns') return 'newly-warned';
  if (is === 'conforms') {
    if (was === 'conforms') return undefined;
    return isJudgedOutcome(was) ? 'fixed' : 'newly-judged';
  }
  return isJudgedOutcome(is) && formatFindingKinds(old) !== formatFindingKinds(present)
    ? 'other-findings'
    : undefined;
}

/** Returns the kinds of the findings of a check as one text. The texts of two checks with the same kinds are equal. */
function formatFindingKinds(check: CheckReport | undefined): string {
  return [...new Set(check?.findings.map(({ finding }) => finding.kind))].sort().join();
}

function caveatsOf(was: ComparedReport, is: ComparedReport): string[] {
  const shown: readonly [string, (report: ComparedReport) => string][] = [
    ['tool', ({ tool }) => `${tool.name} ${tool.version}`],
    ['requirements', ({ spec }) => `revision ${spec.revision}`],
    ['base URL', ({ target }) => target.baseUrl],
    ['part of the run', ({ shard }) => (shard ? `shard ${shard.index}/${shard.of}` : 'all')],
    ['end of the run', ({ stopped }) => stopped?.reason.replace(/\.$/, '') ?? 'complete'],
  ];
  return shown.flatMap(([what, of]) =>
    of(was) === of(is) ? [] : [`The ${what} changed. Before: ${of(was)}. Now: ${of(is)}.`],
  );
}
