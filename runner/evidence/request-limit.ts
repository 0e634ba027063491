import { answerOf, type Exchange, type Result } from '../exchange/exchange.ts';
import { parseRetryAfter } from '../exchange/retry-policy.ts';
import { isBadKey } from '../plan/estimate.ts';
import { type Execution, listExchanges } from './controls.ts';
import { readStatedLimit, type StatedLimit } from './stated-limit.ts';

type Sent = Pick<Execution, 'exchanges' | 'others'>;

/** A limit of requests: as the gateway states it, or else as the run observed it. */
export interface RequestLimit extends Pick<StatedLimit, 'requests' | 'withinMs'> {
  readonly isStated: boolean;
  /** A request that the limit stopped. */
  readonly exchange: Exchange;
  /** The header that states the limit; undefined if the text of the response or nothing states it. */
  readonly header: string | undefined;
  /** The number of requests that got a 429 in each attempt. */
  readonly stopped: number;
}

/**
 * Creates the function that decides whether a 429 comes from a limit of all requests and not from a lock-out after
 * wrong keys: the gateway states a limit, or already returned 429 before the first wrong key.
 */
export function createLimitCheck(sent: Sent): (exchange: Exchange) => boolean {
  const all = listCounted(sent);
  const wrong = all.find(({ attributes }) => isBadKey(attributes))?.startedAt ?? Number.POSITIVE_INFINITY;
  const early = all.filter((other) => other.startedAt < wrong && triesOf(other).some(isLimited));
  // Billing-type endpoints have a limit of their own (section 8).
  const isGeneral = early.some((other) => !isBilling(other));
  return (exchange) => {
    const answer = answerOf(exchange);
    if (answer?.status !== 429) return false;
    return readStatedLimit(answer) !== undefined || isGeneral || (early.length > 0 && isBilling(exchange));
  };
}

/** Returns the limit that left requests without another response than 429; otherwise undefined. */
export function findRequestLimit(sent: Sent): RequestLimit | undefined {
  const all = listCounted(sent);
  const stopped = all.filter(({ result }) => isLimited(result));
  const limiting = stopped.filter(createLimitCheck(sent));
  const [first] = limiting;
  if (!first) return undefined;
  for (const exchange of limiting) {
    const answer = answerOf(exchange);
    const stated = answer && readStatedLimit(answer);
    if (!stated) continue;
    const header = Object.keys(answer.headers).find((name) => stated.quote.startsWith(`${name}: `));
    const common = {
      requests: stated.requests,
      withinMs: stated.withinMs,
      exchange,
      stopped: stopped.length,
    };
    return { ...common, isStated: true, header: header && stated.quote };
  }
  return { ...observe(all), isStated: false, exchange: first, header: undefined, stopped: stopped.length };
}

const minute = 60_000;

/**
 * Counts the requests that were served before the first 429, at most within a minute. The period ends when the gateway
 * served a request again, or when it said it would.
 */
function observe(all: readonly Exchange[]): Pick<RequestLimit, 'requests' | 'withinMs'> {
  const hit = all.find((exchange) => triesOf(exchange).some(isLimited));
  const at = hit?.startedAt ?? 0;
  const begin = Math.max(all[0]?.startedAt ?? at, at - minute);
  const served = all
    .filter(({ startedAt }) => startedAt >= begin && startedAt <= at)
    .flatMap(triesOf)
    .filter((result) => result.kind === 'answer' && !isLimited(result));
  const again = all
    .filter(({ startedAt, result }) => startedAt >= at && result.kind === 'answer' && !isLimited(result))
    .map((exchange) => exchange.startedAt + (exchange.earlier.some(isLimited) ? exchange.durationMs : 0))
    .filter((time) => time > at);
  const pauses = (hit ? triesOf(hit) : []).flatMap((result) =>
    result.kind === 'answer' && isLimited(result) ? (parseRetryAfter(result.answer.headers, at) ?? []) : [],
  );
  const end = pauses[0] === undefined ? Math.min(begin + minute, ...again) : at + pauses[0];
  return { requests: Math.max(1, served.length), withinMs: Math.max(1000, end - begin) };
}

/** Returns the exchanges in the order of their start, except bursts and calls of an account without a balance. */
function listCounted(sent: Sent): Exchange[] {
  return listExchanges(sent)
    .filter(({ attributes: { burst, key } }) => (burst ?? 'false') === 'false' && key !== 'depleted')
    .sort((a, b) => a.startedAt - b.startedAt);
}

function isBilling({ attributes }: Exchange): boolean {
  return attributes.surface === 'billing';
}

function triesOf({ earlier, result }: Exchange): Result[] {
  return [...earlier, result];
}

function isLimited(result: Result): boolean {
  return result.kind === 'answer' && result.answer.status === 429;
}
