import { setMaxListeners } from 'node:events';
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

/** Why a run sends nothing more, a recording could not be read on, or reports to merge lack cases; all else is judged. */
export interface Stop {
  readonly kind: 'interrupted' | 'time' | 'bail' | 'unanswered' | 'recording' | 'missing';
  readonly reason: string;
}

/** What ends a run before its plan is through. */
export interface StopSwitch {
  /** Aborted where what is under way must end too. */
  readonly signal: AbortSignal;
  /** The first reason to stop; undefined while the run goes on. */
  readonly stopped: () => Stop | undefined;
  /** Stops the run; what is under way is waited for, unless the run was interrupted, its time is over, or nobody answers. */
  readonly stop: (stop: Stop) => void;
  /** Takes the timer back. */
  readonly release: () => void;
}

/** Nobody waits any more for what is under way. */
const endsAtOnce: ReadonlySet<Stop['kind']> = new Set(['interrupted', 'time', 'unanswered']);

/** A switch that an outer signal, or the end of the time for the run in milliseconds, also turns. */
export function makeStopSwitch(outer: AbortSignal | undefined, maxMs: number | undefined): StopSwitch {
  const controller = new AbortController();
  // As many requests as may wait at once also listen for an interruption.
  setMaxListeners(0, controller.signal);
  let first: Stop | undefined;
  const stop = (reason: Stop): void => {
    first ??= reason;
    if (endsAtOnce.has(reason.kind)) controller.abort();
  };
  const interrupt = (): void => stop({ kind: 'interrupted', reason: 'The run was interrupted.' });
  if (outer?.aborted) interrupt();
  outer?.addEventListener('abort', interrupt, { once: true });
  const timer =
    maxMs === undefined
      ? undefined
      : setTimeout(
          () => stop({ kind: 'time', reason: `The time for the run, ${maxMs / 1000} s, is over.` }),
          maxMs,
        );
  return {
    signal: controller.signal,
    stopped: () => first,
    stop,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', interrupt);
    },
  };
}
