import type { Ledger, Requirement } from '../catalog/ledger.ts';
import type { JudgedObligation } from './assess.ts';
import type { Verdict } from './judge.ts';
import { isFailed } from './outcome.ts';
import { blocked } from './unjudged.ts';

/**
 * The violated requirement, of those that a requirement depends on directly or by others, that leaves nothing to judge;
 * `judgeOther` judges one of them over the same exchanges.
 */
export function violatedDependency(
  { dependsOn }: Requirement,
  { requirements }: Ledger,
  judgeOther: (requirement: Requirement) => Verdict,
): string | undefined {
  for (const id of dependsOn) {
    const other = requirements.find((requirement) => requirement.id === id);
    if (!other) continue;
    if (isViolated(judgeOther(other))) return id;
    const deeper = violatedDependency(other, { requirements, unchecked: [] }, judgeOther);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** What could not be judged on a response that violates another requirement of the case depends on that violation. */
export function withDependencies(obligations: readonly JudgedObligation[]): readonly JudgedObligation[] {
  const violated = obligations.filter(({ verdict }) => isViolated(verdict));
  if (violated.length === 0) return obligations;
  return obligations.map((item) => {
    if (item.verdict.outcome !== 'inconclusive') return item;
    const { steps, requirement } = item.obligation;
    const cause = violated.find(
      ({ obligation, verdict }) =>
        // A warning fails no run, so it must not hide that a `must` could not be judged.
        (verdict.outcome === 'violates' || requirement.level === 'should') &&
        obligation.steps.some((step) => steps.includes(step)),
    );
    if (!cause) return item;
    const { id } = cause.obligation.requirement;
    return { ...item, verdict: blocked('The response is wrong in another way.', { requirement: id }) };
  });
}

/** Whether a verdict reports a violation, of a `must` or of a `should`. */
export function isViolated({ outcome }: Verdict): boolean {
  return isFailed(outcome);
}
