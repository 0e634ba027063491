import type { Answer, Result } from '../transport/exchange.ts';

/** The number of retries of a request, and the pauses before them. */
export interface RetryPolicy {
  /** The number of retries after a 5xx, a reset or refused connection, or an unavailable model. */
  readonly retries: number;
  /** The number of retries after a 429, or a 503 with Retry-After. */
  readonly retriesOf429: number;
  /** The first pause, in milliseconds; it doubles with each retry. */
  readonly firstPauseMs: number;
  /** The maximum pause, in milliseconds. A longer Retry-After ends the retries. */
  readonly longestPauseMs: number;
  /** The maximum total time of the pauses after a 429, or a 503 with Retry-After, in a run, in milliseconds. */
  readonly totalPauseMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  retries: 2,
  retriesOf429: 4,
  firstPauseMs: 200,
  longestPauseMs: 30_000,
  totalPauseMs: 180_000,
};

/** Whether a response asks the client to slow down: a 429, or a 503 with Retry-After. */
export function asksForPause({ status, headers }: Answer): boolean {
  return status === 429 || (status === 503 && parseRetryAfter(headers, Date.now()) !== undefined);
}

/**
 * Parses a Retry-After header into a pause in milliseconds. Returns undefined if the header is neither a number
 * of seconds nor a date. A date is compared with the `Date` header of the response, since the clocks may
 * differ, or with `now` without that header.
 */
export function parseRetryAfter(headers: Answer['headers'], now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return undefined;
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Math.max(0, Number(value) * 1000);
  const date = Date.parse(value);
  if (Number.isNaN(date)) return undefined;
  const theirs = Date.parse(headers.date ?? '');
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/**
 * Whether a retry may help: after a response, or after a reset or refused connection. Errors of host names and certificates
 * persist within a run. A timeout is not retried, since it already took long.
 */
export function isRecoverable(result: Result): boolean {
  return result.kind === 'answer' || result.failure.reason === 'reset' || result.failure.reason === 'refused';
}
