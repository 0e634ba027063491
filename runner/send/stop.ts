import { setMaxListeners } from 'node:events';

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
