/**
 * The reason why a run stopped early, or why a part of a recording could not be read. The exchanges that exist are
 * judged.
 */
export interface Stop {
  readonly kind: 'interrupted' | 'time' | 'bail' | 'unanswered' | 'recording';
  readonly reason: string;
}

export interface StopSwitch {
  /** Aborted by a stop that also ends pending requests. */
  readonly signal: AbortSignal;
  /** Returns the first reason to stop; undefined while the run continues. */
  readonly stopped: () => Stop | undefined;
  /** Stops the run. Aborts `signal` if the kind is `interrupted`, `time` or `unanswered`. */
  readonly stop: (stop: Stop) => void;
  /** Ends the time limit, and stops listening to the outer signal. Call this function at the end of the run. */
  readonly release: () => void;
}
