import type { Failure } from './exchange.ts';

/** Why a request was ended from this side. */
export class Ended extends Error {
  readonly reason: Failure['reason'];

  constructor(reason: Failure['reason'], detail: string) {
    super(detail);
    this.name = 'Ended';
    this.reason = reason;
  }
}

/** The times that a request may take, in milliseconds. */
export interface Times {
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

/** The times of a request that is under way. */
export interface Deadline {
  /** Said when headers or a piece of the body came: the next may be waited for anew. */
  readonly progress: () => void;
  /** Said when the exchange is over, however it ended. */
  readonly release: () => void;
}

/** Starts the times of a request, and says when the first of them is over; exact to what the event loop allows. */
export function startDeadline(
  { firstByteMs, idleMs, totalMs }: Times,
  onEnd: (ended: Ended) => void,
): Deadline {
  const end = (detail: string): void => onEnd(new Ended('timeout', detail));
  const total = setTimeout(
    () => end(`it was not whole when the total time of ${seconds(totalMs)} was over`),
    totalMs,
  );
  let next = setTimeout(() => end(`no answer began within ${seconds(firstByteMs)}`), firstByteMs);
  let begun = false;
  return {
    progress: () => {
      if (begun) {
        next.refresh();
        return;
      }
      begun = true;
      clearTimeout(next);
      next = setTimeout(() => end(`nothing more of the body came for ${seconds(idleMs)}`), idleMs);
    },
    release: () => {
      clearTimeout(total);
      clearTimeout(next);
    },
  };
}

/** A time as people read it. */
export function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
