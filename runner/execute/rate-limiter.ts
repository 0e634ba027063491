import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Answer, Result } from '../transport/exchange.ts';

/** How often a request is sent again, and after which pauses. */
export interface RetryPolicy {
  /** After a 5xx, a reset or refused connection, or an unavailable model. */
  readonly retries: number;
  /** After a 429, or a 503 with Retry-After: both say that waiting helps. */
  readonly retriesOf429: number;
  /** The first pause, in milliseconds; it doubles with each retry. */
  readonly firstPauseMs: number;
  /** A longer pause, such as one that Retry-After asks for, ends the retries. In milliseconds. */
  readonly longestPauseMs: number;
  /** Limit of all pauses that the gateway asks for, in milliseconds. */
  readonly totalPauseMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  retries: 2,
  retriesOf429: 4,
  firstPauseMs: 200,
  longestPauseMs: 30_000,
  totalPauseMs: 180_000,
};

/** Holds back every request of a gateway while it asks for a pause, and sends fewer concurrently after a 429. */
export interface RateLimiter {
  /** Resolves when one more request may be under way, with what to call when it is over. */
  readonly enter: () => Promise<() => void>;
  /** Waits before retry number `retry` (from 0); false where it must not be sent again. */
  readonly beforeRetry: (result: Result, retry: number) => Promise<boolean>;
}

/** Why requests wait, and for how many milliseconds from now. */
export type Wait = { readonly milliseconds: number } & (
  | {
      /** The gateway asked the client to slow down (429, or 503 with `Retry-After`): no request is sent meanwhile. */
      readonly cause: 'limited';
      readonly status: number;
      /** Whether the response stated the pause in `Retry-After`. */
      readonly isStated: boolean;
    }
  | {
      /** One request is sent again after a back-off, since it met this status or, if undefined, no response. */
      readonly cause: 'failed';
      readonly status: number | undefined;
    }
  | {
      /** The run itself keeps to a rate. */
      readonly cause: 'rate';
      readonly perSecond: number;
    }
);

/** Limits that apply from the beginning. */
export interface Bounds {
  /** The most requests that begin in a second; any number if undefined. */
  readonly perSecond?: number | undefined;
  /** The most that are under way at the same time. */
  readonly atOnce?: number;
  readonly signal?: AbortSignal;
  /** Called when a wait begins. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A rate limiter for one gateway; within its bounds everything may begin immediately. */
export function createRateLimiter(
  retryPolicy: RetryPolicy,
  { perSecond, atOnce = Number.POSITIVE_INFINITY, signal, onWait }: Bounds = {},
): RateLimiter {
  let nextStart = 0;
  // By a clock that only goes on: that of the day may be set meanwhile.
  let pausedUntil = 0;
  let paused = 0;
  let underWay = 0;
  // A gateway that says 429 is sent less at once from then on.
  let most = atOnce;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    underWay -= 1;
    waiting.shift()?.();
  };
  /** Waits; false where the run was interrupted meanwhile. */
  const rest = (milliseconds: number): Promise<boolean> =>
    sleep(milliseconds, undefined, { signal }).then(
      () => true,
      () => false,
    );
  /** Waits until the rate lets one more request begin. */
  const turn = async (): Promise<void> => {
    if (perSecond === undefined) return;
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / perSecond;
    if (start <= now) return;
    onWait?.({ cause: 'rate', perSecond, milliseconds: start - now });
    await rest(start - now);
  };
  return {
    enter: async () => {
      for (;;) {
        const wait = pausedUntil - performance.now();
        const goesOn = wait <= 0 || (await rest(wait));
        if (goesOn && wait > 0) continue;
        if (underWay >= most) {
          await new Promise<void>((resolve) => waiting.push(resolve));
          continue;
        }
        underWay += 1;
        await turn();
        // The target may have asked for a pause while this one waited for its turn.
        if (!goesOn || pausedUntil <= performance.now() || signal?.aborted) return leave;
        leave();
      }
    },
    beforeRetry: async (result, retry) => {
      const limited = result.kind === 'answer' && asksForPause(result.answer);
      if (retry >= (limited ? retryPolicy.retriesOf429 : retryPolicy.retries) || !worthRetrying(result))
        return false;
      const own = retryPolicy.firstPauseMs * 2 ** retry;
      if (!limited) {
        const status = result.kind === 'answer' ? result.answer.status : undefined;
        onWait?.({ cause: 'failed', status, milliseconds: own });
        return rest(own);
      }
      const now = performance.now();
      const stated = retryAfter(result.answer.headers, Date.now());
      const pause = Math.max(stated ?? 0, own);
      const until = now + pause;
      const added = Math.max(0, until - Math.max(now, pausedUntil));
      if (pause > retryPolicy.longestPauseMs || paused + added > retryPolicy.totalPauseMs) return false;
      most = Math.max(1, Math.floor((Math.min(most, underWay) + 1) / 2));
      paused += added;
      pausedUntil = Math.max(pausedUntil, until);
      onWait?.({
        cause: 'limited',
        status: result.answer.status,
        isStated: stated !== undefined,
        milliseconds: pause,
      });
      return true;
    },
  };
}

/** Whether the answer holds back the whole target: a 429, and a 503 that says for how long. */
function asksForPause({ status, headers }: Answer): boolean {
  return status === 429 || (status === 503 && retryAfter(headers, Date.now()) !== undefined);
}

/**
 * The milliseconds that a Retry-After asks for, in seconds or as a date; undefined where it is neither. A date is one of
 * the gateway's clock, so it is held to the answer's own `Date`, and to ours, `now`, only where there is none.
 */
export function retryAfter(headers: Answer['headers'], now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined || value.trim() === '') return undefined;
  if (/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return Math.max(0, Number(value) * 1000);
  const date = Date.parse(value);
  if (Number.isNaN(date)) return undefined;
  const theirs = Date.parse(headers.date ?? '');
  return Math.max(0, date - (Number.isNaN(theirs) ? now : theirs));
}

/** A name that doesn't resolve or a certificate stays as it is; a time-out has taken long enough. */
function worthRetrying(result: Result): boolean {
  return result.kind === 'answer' || result.failure.reason === 'reset' || result.failure.reason === 'refused';
}

/** Does something for each item, at most `most` of them at the same time. */
export function concurrently<T>(
  most: number,
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<unknown> {
  const limit = pLimit(most);
  return Promise.all(items.map((item) => limit(() => act(item))));
}
