import { formatFirst } from '../../common/lists.ts';
import {
  type Change,
  changeOf,
  changes,
  type ReportDiff,
  type RequirementChange,
} from '../compare/diff-reports.ts';
import { checkKey } from '../gate/apply-baseline.ts';
import type { CheckResults } from '../gate/baseline.ts';
import type { CheckReport } from '../report/report.ts';
import { differingLook, outcomeLooks } from './signs.ts';

/** How the change of a check is shown. */
interface ChangeLook {
  readonly sign: string;
  /** The title of the requirements with this change. */
  readonly title: string;
  /** The words before the name of a requirement. */
  readonly words: string;
}

const { violates, warns, inconclusive, conforms } = outcomeLooks;

export const changeLooks: Readonly<Record<Change, ChangeLook>> = {
  'newly-violated': { sign: violates.sign, title: 'Newly violated', words: 'newly violated' },
  'more-severe': { sign: violates.sign, title: 'Violated more severely', words: 'violated more severely' },
  'violated-not-judged-before': {
    sign: violates.sign,
    title: 'Violated, not judged before',
    words: 'violated, not judged before',
  },
  'no-longer-judged': { sign: inconclusive.sign, title: 'No longer judged', words: 'no longer judged' },
  'newly-warned': { sign: warns.sign, title: 'New warnings', words: 'new warning' },
  'other-findings': {
    sign: differingLook.sign,
    title: 'Violated as before, with different findings',
    words: 'different findings',
  },
  fixed: { sign: conforms.sign, title: 'Fixed', words: 'fixed' },
  'newly-judged': { sign: '+', title: 'Newly judged', words: 'newly judged' },
  added: { sign: '+', title: 'New in this version', words: 'added' },
  removed: { sign: '−', title: 'Removed in this version', words: 'removed' },
};

/** Groups the changes by kind, the worst first. */
export function groupChanges({ changes }: Pick<ReportDiff, 'changes'>): [Change, RequirementChange[]][] {
  const kinds = [...new Set(changes.map(({ change }) => change))];
  return kinds.map((kind) => [kind, changes.filter(({ change }) => change === kind)]);
}

/** Formats the verdicts, and the numbers of requirements with each change, in one sentence. */
export function formatDiffSummary({ was, is, changes }: ReportDiff): string {
  const verdict = was.verdict === is.verdict ? `${is.verdict}, as before` : `${was.verdict} → ${is.verdict}`;
  if (changes.length === 0) return `No check changed: ${verdict}.`;
  const counts = groupChanges({ changes }).map(
    ([change, items]) => `${items.length} ${changeLooks[change].title.toLowerCase()}`,
  );
  return `${verdict}: ${counts.join(', ')}`;
}

/** The latest result of each check over several runs, including partial runs. */
export type LatestResults = ReadonlyMap<string, CheckReport>;

export function addReport(latest: LatestResults, report: CheckResults): LatestResults {
  return new Map([...latest, ...listChecks(report).map(({ key, check }) => [key, check] as const)]);
}

/** The maximum number of requirements to name for each change. All other requirements are only counted. */
const maxNames = 3;

/**
 * Summarizes the changes since the latest results in one sentence, with at most three requirements for each change.
 */
export function formatChange(latest: LatestResults, report: CheckResults): string {
  const found = new Map<Change, Map<string, number>>();
  for (const { key, check } of listChecks(report)) {
    const before = latest.get(key);
    const change = before && changeOf(before, check, true);
    if (change === undefined) continue;
    const list = found.get(change) ?? new Map<string, number>();
    list.set(check.requirement, (list.get(check.requirement) ?? 0) + 1);
    found.set(change, list);
  }
  const parts = changes.flatMap((change) => {
    const list = found.get(change);
    return list ? [`${changeLooks[change].words} ${formatRequirements(list)}`] : [];
  });
  return `Since the last run: ${parts.length === 0 ? 'no change' : parts.join('; ')}.`;
}

function formatRequirements(list: ReadonlyMap<string, number>): string {
  const names = [...list].map(
    ([requirement, cases]) => `${requirement}${cases > 1 ? ` (${cases} cases)` : ''}`,
  );
  return formatFirst(names, maxNames);
}

function listChecks({ cases }: CheckResults): { readonly key: string; readonly check: CheckReport }[] {
  return cases.flatMap(({ id, checks }) =>
    checks.map((check) => ({
      key: checkKey({ requirement: check.requirement, case: id }),
      check,
    })),
  );
}
