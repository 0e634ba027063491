import { setImmediate as letEventsHappen, setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { rateWithin, readStatedLimit, type StatedLimit } from '../evidence/stated-limit.ts';
import type { Result } from '../exchange/exchange.ts';
import { asksForPause, isRecoverable, parseRetryAfter, type RetryPolicy } from '../exchange/retry-policy.ts';
import type { StopSwitch } from '../exchange/stop.ts';

/**
 * Limits the rate and the concurrency of the requests to a gateway. Delays all requests while the gateway asks for a
 * pause. Before each retry after a 429, or after a 503 with Retry-After, halves the concurrency, but not below 1.
 */
export interface RateLimiter {
  /**
   * Waits until one more request may start, or until `signal` is aborted. Resolves to a function. Call this function
   * at the end of the request.
   */
  readonly enter: () => Promise<() => void>;
  /**
   * Prepares retry number `retry`, counted from 0. Resolves to false if the request must not be retried. If the
   * gateway asked for a pause, the next call of `enter` waits. After other failures, this function waits. `window` is
   * the period of the gateway's rate limit, in milliseconds. After a 429 without Retry-After, the pause before each
   * of the last two retries is at least `window`, up to the maximum pause.
   */
  readonly beforeRetry: (result: Result, retry: number, window?: number) => Promise<boolean>;
  /** Notes a result. With `obeysStated`, the rate falls below a limit that the response states. */
  readonly note: (result: Result) => void;
}

/** A wait of one request or of all requests, with its cause and its length in milliseconds. */
export type Wait = { readonly milliseconds: number } & (
  | {
      /** All requests wait, because the gateway asked for a pause with a 429, or with a 503 and `Retry-After`. */
      readonly cause: 'limited';
      readonly status: number;
      /** Whether the response stated the length of the pause in `Retry-After`. */
      readonly isStated: boolean;
    }
  | {
      /**
       * All requests wait until the gateway, which may be starting or restarting, responds. `milliseconds` is the
       * maximum time. A wait of 0 milliseconds means that the wait is over.
       */
      readonly cause: 'unreachable';
    }
  | {
      /** One request waits before its retry. `status` is undefined if no response was received. */
      readonly cause: 'failed';
      readonly status: number | undefined;
    }
  | {
      /** One request waits, so that the run does not exceed `perSecond`. */
      readonly cause: 'rate';
      readonly perSecond: number;
    }
);

export interface RateLimits {
  /** The maximum number of requests per second. Default: unlimited. */
  readonly perSecond?: number | undefined;
  /** The maximum number of concurrent requests. Default: unlimited. */
  readonly atOnce?: number;
  /** Whether the rate falls below a limit that the gateway states. Default: false. */
  readonly obeysStated?: boolean;
  readonly signal?: AbortSignal;
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/**
 * Creates the rate limiter of one gateway. When `signal` is aborted, all pauses and all waits for other requests end.
 * `onWait` is called at the start of each pause, but not when a request waits for other requests.
 */
export function createRateLimiter(
  retryPolicy: RetryPolicy,
  {
    perSecond: ownRate,
    atOnce = Number.POSITIVE_INFINITY,
    obeysStated = false,
    signal,
    onWait,
  }: RateLimits = {},
): RateLimiter {
  let perSecond = ownRate;
  let limit: StatedLimit | undefined;
  let nextStart = 0;
  // Pauses use monotonic time, because the system clock may change during a run.
  let pausedUntil = 0;
  let paused = 0;
  let underWay = 0;
  // The maximum number of concurrent requests. Each pause for which the gateway asks halves this number, but not below
  // 1, for the rest of the run.
  let most = atOnce;
  const waiting: (() => void)[] = [];
  const wakeAll = (): void => {
    for (const wake of waiting.splice(0)) wake();
  };
  signal?.addEventListener('abort', wakeAll, { once: true });
  const leave = (): void => {
    underWay -= 1;
    waiting.shift()?.();
  };
  /** Resolves to false if `signal` was aborted. */
  const waitFor = (milliseconds: number): Promise<boolean> =>
    sleep(milliseconds, undefined, { signal }).then(
      () => true,
      () => false,
    );
  const waitForTurn = async (): Promise<void> => {
    if (perSecond === undefined) return;
    const now = performance.now();
    const start = Math.max(now, nextStart);
    nextStart = start + 1000 / perSecond;
    if (start <= now) return;
    onWait?.({ cause: 'rate', perSecond, milliseconds: start - now });
    await waitFor(start - now);
  };
  return {
    enter: async () => {
      for (;;) {
        const wait = pausedUntil - performance.now();
        const goesOn = wait <= 0 || (await waitFor(wait));
        if (goesOn && wait > 0) continue;
        if (underWay >= most && !signal?.aborted) {
          await new Promise<void>((resolve) => waiting.push(resolve));
          continue;
        }
        underWay += 1;
        await waitForTurn();
        // The gateway may have asked for a pause in the meantime.
        if (!goesOn || pausedUntil <= performance.now() || signal?.aborted) return leave;
        leave();
      }
    },
    beforeRetry: async (result, retry, window = 0) => {
      const limited = result.kind === 'answer' && asksForPause(result.answer);
      if (retry >= (limited ? retryPolicy.retriesOf429 : retryPolicy.retries) || !isRecoverable(result))
        return false;
      const own = retryPolicy.firstPauseMs * 2 ** retry;
      if (!limited) {
        const status = result.kind === 'answer' ? result.answer.status : undefined;
        onWait?.({ cause: 'failed', status, milliseconds: own });
        return waitFor(own);
      }
      const now = performance.now();
      const stated = parseRetryAfter(result.answer.headers, Date.now());
      // A short pause may end before the window ends, and other waiting requests may use up the next window.
      const isLate = retry >= retryPolicy.retriesOf429 - 2;
      // At the latest when the window of a stated limit has passed once, requests are served again.
      const passed = limit && limit.withinMs <= longestWindowMs ? limit.withinMs : 0;
      const late = isLate ? Math.min(window, retryPolicy.longestPauseMs) : 0;
      const pause = Math.max(stated ?? Math.max(passed, late), own);
      const until = now + pause;
      const added = Math.max(0, until - Math.max(now, pausedUntil));
      if (pause > Math.max(passed, retryPolicy.longestPauseMs) || paused + added > retryPolicy.totalPauseMs)
        return false;
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
    note: (result) => {
      const stated = obeysStated && result.kind === 'answer' ? readStatedLimit(result.answer) : undefined;
      if (!stated || rateWithin(stated) >= (perSecond ?? Number.POSITIVE_INFINITY)) return;
      perSecond = rateWithin(stated);
      limit = stated;
    },
  };
}

/** The longest window of a stated limit for which a run waits, in milliseconds. */
const longestWindowMs = 90_000;

/**
 * Calls `act` for each item, with at most `most` concurrent calls. Resolves when all calls are complete. Rejects with
 * the first error of a call.
 */
export function forEachConcurrently<T>(
  most: number,
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<unknown> {
  const limit = pLimit(most);
  return Promise.all(items.map((item) => limit(() => act(item))));
}

/**
 * Calls `act` with one item after another until the run is stopped. The items that are left stay in the iterator, which
 * several calls can share. Timers and signals are handled between two items, however little `act` waits: a list of an
 * untrusted length must not delay the end of the run.
 */
export async function forEachUntilStopped<T>(
  items: Iterator<T>,
  { stopped }: Pick<StopSwitch, 'stopped'>,
  act: (item: T) => Promise<void> | void,
): Promise<void> {
  while (!stopped()) {
    const next = items.next();
    if (next.done) return;
    await act(next.value);
    await letEventsHappen();
  }
}
