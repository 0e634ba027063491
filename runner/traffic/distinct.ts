import type { Place } from '../catalog/expectation.ts';
import type { Verdict } from '../judge/judge.ts';
import { valueAt } from '../judge/look.ts';
import { answerOf, type Exchange } from '../send/exchange.ts';

/** So many of the last values are remembered. */
const remembered = 10_000;

/** Finds values that come again, among the last 10,000 at a place. */
export function makeDistinct(at: Place): (exchange: Exchange) => Verdict {
  const seen = new Map<string, { readonly exchange: string; times: number }>();
  return (exchange) => {
    const answer = answerOf(exchange);
    const value = answer && valueAt(answer, at);
    if (value === undefined || value === '')
      return { outcome: 'not-applicable', findings: [], reason: undefined };
    const key = String(value).toLowerCase();
    const known = seen.get(key);
    if (known) {
      known.times += 1;
      const finding = { kind: 'repeats' as const, place: at, value: key, times: known.times };
      return { outcome: 'warns', findings: [{ exchange: exchange.id, finding }], reason: undefined };
    }
    const [oldest] = seen.keys();
    if (seen.size >= remembered && oldest !== undefined) seen.delete(oldest);
    const outcome = seen.size > 0 ? 'conforms' : 'not-applicable';
    seen.set(key, { exchange: exchange.id, times: 1 });
    return { outcome, findings: [], reason: undefined };
  };
}
