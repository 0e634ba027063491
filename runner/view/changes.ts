import { formatFirst } from '../../common/lists.ts';
import { type Change, changeOf, changes } from '../compare/change.ts';
import type { Comparison } from '../compare/comparison.ts';
import { checkKey } from '../gate/apply-baseline.ts';
import type { CheckResults } from '../gate/baseline.ts';
import { isKept, type Outcome } from '../judge/outcome.ts';
import type { CheckReport } from '../report/report.ts';
import { addedLook, differingLook, type Look, outcomeLooks, removedLook } from './signs.ts';

/** How the change of a check is shown. */
interface ChangeLook extends Pick<Look, 'sign' | 'colour'> {
  /** The outcome with the same colours in HTML. */
  readonly tone: Outcome;
  /** The words before the name of a requirement. */
  readonly words: string;
  /** Whether people should look at the responses. */
  readonly isBad: boolean;
}

/** Looks like an outcome, unless `more` has another sign. */
function look(tone: Outcome, words: string, more: Partial<ChangeLook> = {}): ChangeLook {
  const { sign, colour } = outcomeLooks[tone];
  return { sign, colour, tone, words, isBad: !isKept(tone), ...more };
}

export const changeLooks: Readonly<Record<Change, ChangeLook>> = {
  'newly-violated': look('violates', 'newly violated'),
  'more-severe': look('violates', 'violated more severely'),
  'violated-not-judged-before': look('violates', 'violated, not judged before'),
  'no-longer-judged': look('inconclusive', 'no longer judged'),
  'newly-warned': look('warns', 'newly warned'),
  'other-findings': look('violates', 'different findings', { sign: differingLook.sign }),
  'newly-declared': look('deviates', 'now as declared'),
  fixed: look('conforms', 'fixed'),
  'no-longer-declared': look('conforms', 'now as specified'),
  'newly-judged': look('conforms', 'newly judged', { sign: addedLook.sign }),
  added: look('conforms', 'added', { sign: addedLook.sign }),
  removed: look('conforms', 'removed', { sign: removedLook.sign }),
};

/** Formats the verdicts, and the numbers of requirements with each change, in one sentence. */
export function formatChanges({ targets, differing }: Pick<Comparison, 'targets' | 'differing'>): string {
  const [was, is] = [targets[0]?.verdict, targets.at(-1)?.verdict];
  const verdict = was === is ? `${is}, as before` : `${was} → ${is}`;
  if (differing.length === 0) return `No check changed: ${verdict}.`;
  const counts = changes.flatMap((change) => {
    const count = differing.filter((item) => item.change === change).length;
    return count === 0 ? [] : [`${count} ${changeLooks[change].words}`];
  });
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
