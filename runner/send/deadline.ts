import { formatSeconds } from '../../common/duration.ts';
import type { TransportFailure } from '../exchange/exchange.ts';

/** The error of a request that this client aborted. Reports show `reason` and the message. */
export class RequestAbortedError extends Error {
  readonly reason: TransportFailure['reason'];

  constructor(reason: TransportFailure['reason'], detail: string) {
    super(detail);
    this.name = 'RequestAbortedError';
    this.reason = reason;
  }
}

/**
 * The limits of each exchange. Times are in milliseconds. An exchange that exceeds a time limit is reported as a
 * failure.
 */
export interface Limits {
  /** The maximum time to open a connection. Default: 5,000. */
  readonly connectMs: number;
  /**
   * The maximum time from the start of a request to the head of its response, unless `successFirstByteMs` applies.
   * Default: 10,000.
   */
  readonly firstByteMs: number;
  /**
   * The maximum time from the start of a valid request with the valid key in an accepted header, or of a request of
   * `setup`, to the head of its response. The default is longer than for `firstByteMs`, because a model must respond.
   * Default: 60,000.
   */
  readonly successFirstByteMs: number;
  /** The maximum time from the head or a chunk of a response to the next chunk or the end. Default: 30,000. */
  readonly idleMs: number;
  /** The maximum time of the whole exchange. Default: 120,000. */
  readonly totalMs: number;
  /**
   * The maximum size of a response body, in bytes. A longer body is cut, and its content is not judged. Default:
   * 1,048,576.
   */
  readonly bodyBytes: number;
}

export const defaultLimits: Limits = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  successFirstByteMs: 60_000,
  idleMs: 30_000,
  totalMs: 120_000,
  bodyBytes: 1024 * 1024,
};

/** The time limits of one exchange, in milliseconds. See `Limits`. */
export interface ExchangeTimeouts {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface Deadline {
  /** Restarts the idle time limit. Call this function when the head of the response or a part of the body arrives. */
  readonly progress: () => void;
  /** Stops all timers. Call this function at the end of the exchange. */
  readonly release: () => void;
}

/** Starts the time limits of an exchange. Calls `onEnd` when a time limit is exceeded. */
export function startDeadline(
  { firstByteMs, idleMs, totalMs }: ExchangeTimeouts,
  onEnd: (ended: RequestAbortedError) => void,
): Deadline {
  const end = (detail: string): void => onEnd(new RequestAbortedError('timeout', detail));
  const total = setTimeout(
    () => end(`the response was not complete within the total time limit of ${formatSeconds(totalMs)}`),
    totalMs,
  );
  let next = setTimeout(() => end(`no response began within ${formatSeconds(firstByteMs)}`), firstByteMs);
  let begun = false;
  return {
    progress: () => {
      if (begun) {
        next.refresh();
        return;
      }
      begun = true;
      clearTimeout(next);
      next = setTimeout(
        () => end(`no further part of the body arrived for ${formatSeconds(idleMs)}`),
        idleMs,
      );
    },
    release: () => {
      clearTimeout(total);
      clearTimeout(next);
    },
  };
}
