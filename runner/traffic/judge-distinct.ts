import { createHash } from 'node:crypto';
import type { Place } from '../catalog/expectation.ts';
import type { Verdict } from '../judge/judge.ts';
import { valueAt } from '../judge/locate.ts';
import { type Answer, answerOf, type Exchange } from '../transport/exchange.ts';

/** So many of the last values are remembered. */
const remembered = 10_000;

/** Finds values that come again, among the last 10,000 at a place. */
export function makeDistinct(at: Place): (exchange: Exchange) => Verdict {
  const seen = new Map<string, { readonly origin: string; times: number }>();
  /** What was seen in the order in which it came, the oldest at `next`; a map that loses its first takes long to find it. */
  const order: string[] = [];
  let next = 0;
  return (exchange) => {
    const answer = answerOf(exchange);
    const value = answer && valueAt(answer, at);
    if (!answer || value === undefined || value === '') return nothing;
    const text = String(value).toLowerCase();
    const key = text.length > longest ? digest(text) : text;
    const origin = originOf(exchange, answer);
    const known = seen.get(key);
    if (known?.origin === origin) return nothing;
    if (known) {
      known.times += 1;
      const finding = { kind: 'repeats' as const, place: at, value: text, times: known.times };
      return { outcome: 'warns', findings: [{ exchange: exchange.id, finding }], reason: undefined };
    }
    const oldest = order[next];
    if (oldest !== undefined) seen.delete(oldest);
    const outcome = seen.size > 0 ? 'conforms' : 'not-applicable';
    seen.set(key, { origin, times: 1 });
    order[next] = key;
    next = (next + 1) % remembered;
    return { outcome, findings: [], reason: undefined };
  };
}

const nothing: Verdict = { outcome: 'not-applicable', findings: [], reason: undefined };
/** A longer value is remembered by its digest. */
const longest = 100;

/**
 * What an answer has in common with itself, where it is recorded twice, by two recorders or from a cache: the time at
 * which the gateway made it, or else that at which it was asked for.
 */
function originOf({ request: { method }, startedAt }: Exchange, answer: Answer): string {
  const { status, headers, text } = answer;
  return `${method} ${status} ${text.length} ${(headers.date ?? String(startedAt)).slice(0, longest)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
