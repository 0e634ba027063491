import { gather } from '../../report/gather.ts';
import type { ObligationReport } from '../../report/report.ts';
import { isJudged } from '../diff-reports.ts';
import type { Duty } from './compare-reports.ts';
import type { NotJudgedOn, TargetReport } from './comparison.ts';

/** What was judged on some targets and not on others, once for each target and reason, that of most cases first. */
export function groupNotJudged(duties: readonly Duty[], reports: readonly TargetReport[]): NotJudgedOn[] {
  const partly = duties.filter(({ obligations }) => obligations.some((item) => isJudged(item?.outcome)));
  return reports.flatMap(({ target }, index) => {
    // Why nothing at all was judged is told of the target, once.
    if (!duties.some(({ obligations }) => isJudged(obligations[index]?.outcome))) return [];
    const open = partly.flatMap((duty) => {
      const why = whyNot(duty.obligations[index]);
      return why ? [{ duty, why }] : [];
    });
    const groups = gather(open, ({ why }) => `${why.outcome} ${why.reason} ${why.add}`).flatMap(([, own]) => {
      const [first] = own;
      return first
        ? [
            {
              target,
              ...first.why,
              requirements: [...new Set(own.map(({ duty }) => duty.requirement))],
              cases: new Set(own.map(({ duty }) => duty.case)).size,
            },
          ]
        : [];
    });
    return groups.sort((a, b) => b.cases - a.cases);
  });
}

/** Why something was not judged; undefined where it was. */
function whyNot(
  obligation: ObligationReport | undefined,
): Pick<NotJudgedOn, 'outcome' | 'reason' | 'add'> | undefined {
  if (!obligation) return { outcome: 'not-planned', reason: 'No such case was planned.', add: null };
  const { outcome, reason = '', add = null } = obligation;
  return outcome === 'inconclusive' || outcome === 'not-applicable' ? { outcome, reason, add } : undefined;
}
