import type { Verdict } from '../judge/judge.ts';
import { textAt } from '../judge/look.ts';
import { answerOf, type Exchange } from '../send/exchange.ts';

/**
 * Why a wrong answer says nothing of the gateway: between a profile and a recording, accounts run dry, keys are deleted
 * and models go, and no control was sent beside the request. Undefined where nothing excuses it.
 */
export function circumstance(exchange: Exchange, { outcome }: Verdict): string | undefined {
  if (outcome !== 'violates' && outcome !== 'warns') return undefined;
  const answer = answerOf(exchange);
  const { key, model } = exchange.facts;
  if (!answer) return undefined;
  const type = textAt(answer, '/error/type');
  if (key !== 'depleted' && (answer.status === 402 || type === 'insufficient_balance'))
    return 'The account may have had no balance.';
  const mayBeRefused = key === 'good' || key === 'depleted' || key === 'foreign';
  if (mayBeRefused && (answer.status === 401 || answer.status === 403))
    return 'The key may not have been a good one any more.';
  if (model === 'good' && (type === 'model_not_available' || type === 'model_not_supported'))
    return 'The model may not have been available.';
  return undefined;
}
