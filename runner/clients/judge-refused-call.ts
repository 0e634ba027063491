import { answerOf } from '../transport/exchange.ts';
import type { ClientRequirement } from './client-ledger.ts';
import {
  broken,
  type ClientResult,
  type ClientVerdict,
  finding,
  inconclusive,
  kept,
  notApplicable,
  unjudgeable,
} from './judge-valid-call.ts';
import {
  breaksOf,
  dueStatus,
  isAspect,
  type LocatedValue,
  lookAtError,
  type RefusedContext,
} from './judge-error.ts';

/** Holds a call that must be refused against every requirement of its case, in their order. */
export function judgeRefused(
  requirements: readonly ClientRequirement[],
  result: ClientResult,
  context: RefusedContext,
): ClientVerdict[] {
  const exchange = result.exchanges.at(-1);
  const answer = exchange && answerOf(exchange);
  const refusals = exchange ? breaksOf(exchange, context.clients.refusals, context) : [];
  const due = dueStatus(refusals);
  const open = due === undefined ? unjudgeable(result) : undefined;
  if (open || !exchange || !answer)
    return requirements.map(() => open ?? inconclusive('No response was received.'));
  const looked = new Map(
    requirements.flatMap(({ id }) =>
      isAspect(id)
        ? [[id, lookAtError(id, { result, context, exchange, answer, refusals, due })] as const]
        : [],
    ),
  );
  return requirements.map((requirement): ClientVerdict => {
    const { id } = requirement;
    if (isAspect(id)) return verdictOf(requirement, looked.get(id));
    if (id === 'clients/error-understood') return understood(requirement, [...looked.values()]);
    return result.came.kind === 'raised'
      ? kept
      : broken(
          requirement,
          finding(result, { fact: 'the streamed call', expected: 'refused', actual: 'no error' }),
        );
  });
}

/** What an SDK makes of an answer that is right is told under clients/error-understood. */
function verdictOf(requirement: ClientRequirement, looked: LocatedValue | undefined): ClientVerdict {
  if (looked?.kind === 'open') return looked.verdict;
  if (looked?.kind === 'lost' && looked.loss.breaks.length > 0)
    return broken(requirement, looked.loss.finding);
  return kept;
}

function understood(requirement: ClientRequirement, looked: readonly LocatedValue[]): ClientVerdict {
  const losses = looked.flatMap((item) => (item.kind === 'lost' ? [item.loss] : []));
  const own = losses.filter(({ breaks }) => breaks.length === 0);
  if (own.length > 0) return broken(requirement, ...own.map((loss) => loss.finding));
  if (losses.length > 0) return notApplicable('The response itself is wrong.');
  const open = looked.find((item) => item.kind === 'open');
  return open?.kind === 'open' ? open.verdict : kept;
}
