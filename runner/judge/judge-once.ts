import { asksForCalledModels } from '../catalog/expectation.ts';
import type { Obligation } from '../plan/plan.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { JudgeContext } from './check.ts';
import { judge, type Verdict } from './judge.ts';

/** What became of obligations, with the exchanges that they were judged by. */
export type Judged = Map<Obligation, { readonly by: readonly Exchange[]; readonly verdict: Verdict }>;

/** The same as `judge`; what was judged by the same exchanges before is not judged again. */
export function judgeOnce(
  obligation: Obligation,
  exchanges: readonly Exchange[],
  context: JudgeContext,
  judged: Judged,
): Verdict {
  const before = judged.get(obligation);
  if (before?.by.length === exchanges.length && before.by.every((item, at) => item === exchanges[at]))
    return before.verdict;
  const verdict = judge(obligation.requirement, exchanges, context);
  // What is sent for a case grows while it is sent.
  if (!asksForCalledModels(obligation.requirement.then))
    judged.set(obligation, { by: [...exchanges], verdict });
  return verdict;
}
