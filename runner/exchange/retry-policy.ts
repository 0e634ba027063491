import type { Answer, Result } from './exchange.ts';

export interface RetryPolicy {
  /**
   * The maximum number of retries after a result that does not ask for a pause, such as a 500 or a reset connection.
   */
  readonly retries: number;
  /** The maximum number of retries after a 429, or after a 503 with Retry-After. */
  readonly retriesOf429: number;
  /** The pause before the first retry, in milliseconds. The pause doubles with each retry. */
  readonly firstPauseMs: number;
  /** The maximum pause, in milliseconds. If Retry-After asks for a longer pause, the request is not retried. */
  readonly longestPauseMs: number;
  /** The maximum total time of the pauses in a run after a 429, or after a 503 with Retry-After, in milliseconds. */
  readonly totalPauseMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  retries: 2,
  retriesOf429: 4,
  firstPauseMs: 200,
  longestPauseMs: 30_000,
  totalPauseMs: 180_000,
};

/** Whether a response asks the client for a pause: a 429, or a 503 with Retry-After. */
export function asksForPause({ status, headers }: Answer): boolean {
  return status === 429 || (status === 503 && parseRetryAfter(headers, Date.now()) !== undefined);
}

/**
 * Returns the pause that the header Retry-After states, in milliseconds. Returns undefined if the header is absent,
 * or is neither a number of seconds nor a date. A date in Retry-After is compared with the header `Date` of the
 * response, because the clock of the gateway may differ. Without a valid header `Date`, the date in Retry-After is
 * compared with `now`, in milliseconds since 1970-01-01 UTC.
 */
export function parseRetryAfter(headers: Answer['headers'], now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return undefined;
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Math.max(0, Number(value) * 1000);
  const date = Date.parse(value);
  if (Number.isNaN(date)) return undefined;
  const gatewayTime = Date.parse(headers.date ?? '');
  return Math.max(0, date - (Number.isNaN(gatewayTime) ? now : gatewayTime));
}

/**
 * Whether a retry may have a different result: after a response, or after a reset or refused connection. Errors of host
 * names and certificates persist during a run. A timeout is not retried, because the attempt already took long.
 */
export function isRecoverable(result: Result): boolean {
  if (result.kind === 'answer' || result.failure.cutStatus !== undefined) return true;
  return result.failure.reason === 'reset' || result.failure.reason === 'refused';
}
