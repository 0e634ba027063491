import { createHash } from 'node:crypto';
import { answerOf, type Exchange } from '../exchange/exchange.ts';
import { parseRetryAfter } from '../exchange/retry-policy.ts';

/** A request that repeats an identical request after a 400, 429 or 5xx response. */
export interface Retry {
  readonly statusBefore: number;
  /** The pause between the previous response and this request, in milliseconds. */
  readonly gapMs: number;
  /** The pause before the previous request, in milliseconds; undefined if the previous request was not a retry. */
  readonly gapBeforeMs: number | undefined;
  /** Whether any earlier pause was more than 20 % longer than the preceding pause. */
  readonly hasGrown: boolean;
  /** Whether the pause before the previous pause was more than 20 % longer than the previous pause. */
  readonly hasShrunk: boolean;
  /**
   * The pause that the previous response requests with `Retry-After`, in milliseconds; undefined without a valid value.
   */
  readonly retryAfterMs: number | undefined;
}

interface FailedRequest {
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly gapMs: number | undefined;
  readonly hasGrown: boolean;
  readonly hasShrunk: boolean;
  /** Whether identical requests overlapped in time, so that a retry cannot be detected. */
  readonly isConcurrent: boolean;
  readonly retryAfterMs: number | undefined;
}

const maxStored = 1_000;
/** The maximum pause before a retry, in milliseconds. A request after a longer pause counts as new. */
export const maxPauseMs = 120_000;

/**
 * Creates a function that returns how an exchange repeats an earlier exchange; undefined if the exchange is not a
 * retry. Call the function once for each exchange, in the order of the traffic.
 */
export function createRetryDetector(): (exchange: Exchange) => Retry | undefined {
  const failed = new Map<string, FailedRequest>();
  return (exchange) => {
    const { status, headers } = answerOf(exchange) ?? {};
    const fails = status !== undefined && (status === 400 || status === 429 || status >= 500);
    if (!fails && failed.size === 0) return undefined;
    const key = identifyRequest(exchange);
    const before = failed.get(key);
    failed.delete(key);
    const { startedAt } = exchange;
    const gapMs = before && startedAt - before.endedAt;
    // Neither an exchange that was recorded twice nor a request that overlaps the previous request in time is a
    // retry.
    const isLater = before !== undefined && gapMs !== undefined && gapMs >= 0 && startedAt > before.startedAt;
    const isConcurrent =
      before !== undefined && (before.isConcurrent || (!isLater && startedAt !== before.startedAt));
    const retry =
      isLater && !before.isConcurrent && gapMs <= maxPauseMs ? createRetry(before, gapMs) : undefined;
    if (fails || isConcurrent) {
      const endedAt = startedAt + exchange.durationMs;
      if (failed.size >= maxStored) {
        const [oldest] = failed.keys();
        if (oldest !== undefined) failed.delete(oldest);
      }
      const { gapBeforeMs } = retry ?? {};
      failed.set(key, {
        status: status ?? 0,
        startedAt,
        endedAt,
        gapMs: retry?.gapMs,
        hasGrown: retry !== undefined && (retry.hasGrown || isClearlyLess(gapBeforeMs, retry.gapMs)),
        hasShrunk: retry !== undefined && isClearlyLess(retry.gapMs, gapBeforeMs),
        isConcurrent,
        retryAfterMs: parseRetryAfter(headers ?? {}, endedAt),
      });
    }
    return retry;
  };
}

function createRetry(before: FailedRequest, gapMs: number): Retry {
  const { status, gapMs: gapBeforeMs, hasGrown, hasShrunk, retryAfterMs } = before;
  return { statusBefore: status, gapMs, gapBeforeMs, hasGrown, hasShrunk, retryAfterMs };
}

function isClearlyLess(one: number | undefined, other: number | undefined): boolean {
  return one !== undefined && other !== undefined && one * 1.2 < other;
}

/** The maximum length of a request that is stored as text, in characters. A longer request is stored as its digest. */
const maxTextLength = 1_000;

/**
 * The headers that clients and proxies set anew for each try, and that no gateway refuses a request for: numbers and
 * times of tries, traces, and those of the connection.
 */
const attemptHeaders =
  /^(age|baggage|cf-ray|connection|content-length|date|forwarded|host|keep-alive|te|via|x-forwarded-.+|x-real-ip)$|(^|-)(attempt|b3|correlation|datadog|elapsed|retry|span|trace|traceparent|tracestate)(-|$)|amz-sdk-request/;

/**
 * The other headers that clients set anew for each try. They make no other request of it, but a gateway may have
 * refused their value, because it was used before, or is too old or wrong.
 */
const valueHeaders =
  /^(cookie|transfer-encoding)$|(^|-)(idempotency|invocation|nonce|request-id|timeout|timestamp)(-|$)|-date$/;

/**
 * Returns a key that only requests with the same method, target, body and headers share. Any header can be what the
 * gateway refused, or what it limits calls by, except `attemptHeaders` and, unless `isExact`, `valueHeaders`. The
 * lengths of the parts make the key unambiguous.
 */
export function identifyRequest(
  { request: { method, path, headers, body } }: Pick<Exchange, 'request'>,
  { isExact = false } = {},
): string {
  const own = Object.entries(headers)
    .filter(([name]) => !attemptHeaders.test(name) && (isExact || !valueHeaders.test(name)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const text = [method, path, body, ...own.flat()].map((part) => `${part?.length} ${part}`).join(' ');
  return text.length > maxTextLength ? createHash('sha256').update(text).digest('base64') : text;
}
