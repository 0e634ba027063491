import { exitCodes } from '../gate/exit-code.ts';
import { isKept } from '../judge/outcome.ts';
import { rankOf, severityOfCheck } from '../judge/severity.ts';
import type { CheckReport } from '../report/report.ts';
import { isJudgedOutcome } from './pair-checks.ts';

/** The possible changes of a check from one report to a later one, the worst first. */
export const changes = [
  'newly-violated',
  'more-severe',
  'violated-not-judged-before',
  'no-longer-judged',
  'newly-warned',
  'other-findings',
  'newly-declared',
  'fixed',
  'no-longer-declared',
  'newly-judged',
  'added',
  'removed',
] as const;
export type Change = (typeof changes)[number];

/**
 * Returns the exit code of `diff`, by the first rule that applies:
 * - 1 if a check is newly violated, or violated more severely than before
 * - 3 if a violated check was not judged before, or if a check is no longer judged
 * - 0 otherwise
 */
export function chooseDiffExitCode({
  differing,
}: {
  readonly differing: readonly { readonly change?: Change }[];
}): number {
  const has = (kind: Change): boolean => differing.some(({ change }) => change === kind);
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
  if (is !== undefined && isKept(is)) {
    if (was === is) return undefined;
    if (!isJudgedOutcome(was)) return 'newly-judged';
    if (is === 'deviates') return 'newly-declared';
    return was === 'deviates' ? 'no-longer-declared' : 'fixed';
  }
  return isJudgedOutcome(is) && formatFindingKinds(old) !== formatFindingKinds(present)
    ? 'other-findings'
    : undefined;
}

/** Returns the kinds of the findings of a check as one text. The texts of two checks with the same kinds are equal. */
function formatFindingKinds(check: CheckReport | undefined): string {
  return [...new Set(check?.findings.map(({ finding }) => finding.kind))].sort().join();
}
