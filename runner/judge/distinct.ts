import { createHash } from 'node:crypto';
import type { ResponseLocation } from '../catalog/expectation.ts';
import { type Answer, answerOf, type Exchange } from '../exchange/exchange.ts';
import type { Verdict } from './judge-requirement.ts';
import { readDistinct } from './locate.ts';

/** The maximum number of stored values. The latest values are kept. */
const maxStored = 10_000;

/**
 * Creates the judge of a value that must differ between responses, such as a trace ID. Compares each value, ignoring
 * case, with the last 10,000 different values.
 */
export function createDistinctJudge(at: ResponseLocation): (exchange: Exchange) => Verdict {
  const seen = new Map<string, { readonly origin: string; times: number }>();
  /**
   * A ring buffer of the keys of `seen`, with the oldest key at the index `next`. Finding the first key of a large
   * map is slow.
   */
  const order: string[] = [];
  let next = 0;
  return (exchange) => {
    const answer = answerOf(exchange);
    const text = answer && readDistinct(answer, at);
    if (!answer || text === undefined) return notApplicable;
    const key = text.length > maxTextLength ? digest(text) : text;
    const origin = identifyResponse(exchange, answer);
    const known = seen.get(key);
    if (known?.origin === origin) return notApplicable;
    if (known) {
      known.times += 1;
      const finding = { kind: 'repeats' as const, place: at, value: text, times: known.times };
      return {
        outcome: 'warns',
        findings: [{ exchange: exchange.id, finding }],
        severity: 'recommendation',
        reason: undefined,
      };
    }
    const oldest = order[next];
    if (oldest !== undefined) seen.delete(oldest);
    const outcome = seen.size > 0 ? 'conforms' : 'not-applicable';
    seen.set(key, { origin, times: 1 });
    order[next] = key;
    next = (next + 1) % maxStored;
    return { outcome, findings: [], reason: undefined };
  };
}

const notApplicable: Verdict = { outcome: 'not-applicable', findings: [], reason: undefined };
/** The maximum length of a value that is stored as text, in characters. A longer value is stored as its digest. */
const maxTextLength = 100;

/**
 * Returns a key that recordings of one response usually share, for example if two tools recorded the response, or if a
 * cache sent the response again. The key contains the `Date` header of the response or, without this header, the start
 * of the request.
 */
function identifyResponse({ request: { method }, startedAt }: Exchange, answer: Answer): string {
  const { status, headers, text } = answer;
  return `${method} ${status} ${text.length} ${(headers.date ?? String(startedAt)).slice(0, maxTextLength)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
