import { formatSeconds } from '../../common/duration.ts';
import type { TransportFailure } from '../exchange/exchange.ts';
import { defaultTimeouts, type Timeouts } from '../profile/profile.ts';

/** The error of a request that this client aborted. Reports show `reason` and the message. */
export class RequestAbortedError extends Error {
  readonly reason: TransportFailure['reason'];

  constructor(reason: TransportFailure['reason'], detail: string) {
    super(detail);
    this.name = 'RequestAbortedError';
    this.reason = reason;
  }
}

/** The limits of each exchange. A response body with more than `bodyBytes` is cut, and its content is not judged. */
export interface Limits extends Timeouts {
  readonly bodyBytes: number;
}

export const defaultLimits: Limits = { ...defaultTimeouts, bodyBytes: 1024 * 1024 };

/** The time limits of one exchange, in milliseconds. `firstByte` is the one for the head of its response. */
export interface ExchangeTimeouts extends Pick<Timeouts, 'idle' | 'total'> {
  readonly firstByte: number;
}

export interface Deadline {
  /** Restarts the idle time limit. Call this function when the head of the response or a part of the body arrives. */
  readonly progress: () => void;
  /** Stops all timers. Call this function at the end of the exchange. */
  readonly release: () => void;
}

/** Starts the time limits of an exchange. Calls `onEnd` when a time limit is exceeded. */
export function startDeadline(
  { firstByte, idle, total: whole }: ExchangeTimeouts,
  onEnd: (ended: RequestAbortedError) => void,
): Deadline {
  const end = (detail: string): void => onEnd(new RequestAbortedError('timeout', detail));
  const total = setTimeout(
    () => end(`the response was not complete within the total time limit of ${formatSeconds(whole)}`),
    whole,
  );
  let next = setTimeout(() => end(`no response began within ${formatSeconds(firstByte)}`), firstByte);
  let begun = false;
  return {
    progress: () => {
      if (begun) {
        next.refresh();
        return;
      }
      begun = true;
      clearTimeout(next);
      next = setTimeout(() => end(`no further part of the body arrived for ${formatSeconds(idle)}`), idle);
    },
    release: () => {
      clearTimeout(total);
      clearTimeout(next);
    },
  };
}
