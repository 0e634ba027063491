import { setMaxListeners } from 'node:events';

/**
 * The reason why a run stopped early, a recording could not be read to its end, or merged reports lack cases.
 * The parts that exist are judged.
 */
export interface Stop {
  readonly kind: 'interrupted' | 'time' | 'bail' | 'unanswered' | 'recording' | 'missing';
  readonly reason: string;
}

/** Stops a run early. */
export interface StopSwitch {
  /** Aborted if pending requests must end too. */
  readonly signal: AbortSignal;
  /** Returns the first reason to stop; undefined while the run continues. */
  readonly stopped: () => Stop | undefined;
  /** Stops the run. Pending requests are aborted after an interruption, at the time limit and if the gateway is gone. */
  readonly stop: (stop: Stop) => void;
  readonly release: () => void;
}

const abortingKinds: ReadonlySet<Stop['kind']> = new Set(['interrupted', 'time', 'unanswered']);

/** Creates a stop switch that `outer` and the time limit of the run, in milliseconds, trigger as well. */
export function createStopSwitch(outer: AbortSignal | undefined, maxMs: number | undefined): StopSwitch {
  const controller = new AbortController();
  // Every concurrent request listens for the interruption.
  setMaxListeners(0, controller.signal);
  let first: Stop | undefined;
  const stop = (reason: Stop): void => {
    first ??= reason;
    if (abortingKinds.has(reason.kind)) controller.abort();
  };
  const interrupt = (): void => stop({ kind: 'interrupted', reason: 'The run was interrupted.' });
  if (outer?.aborted) interrupt();
  outer?.addEventListener('abort', interrupt, { once: true });
  const timer =
    maxMs === undefined
      ? undefined
      : setTimeout(
          () => stop({ kind: 'time', reason: `The time limit of the run, ${maxMs / 1000} s, was reached.` }),
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
