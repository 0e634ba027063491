import { exitCodes } from '../report/exit-code.ts';
import { endingCode, onEndingSignal } from './ending-signals.ts';

/** How long after an interruption, in milliseconds, another one is taken for the same. */
const patienceMs = 2_000;

/** That somebody wants to leave. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Leaves signals to others. */
  readonly release: () => void;
}

/** Listens for Ctrl-C and its like, and calls back for each; one that comes much later than the first ends the process. */
export function listenForInterruption(onSignal: () => void): Interruption {
  const stop = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    onSignal();
    // A terminal and npm may both pass a signal on; only somebody who loses patience leaves without the reports.
    if (stop.signal.aborted && performance.now() - interruptedAt > patienceMs)
      process.exit(endingCode(exitCodes.interrupted));
    if (!stop.signal.aborted) interruptedAt = performance.now();
    stop.abort();
  };
  return { signal: stop.signal, release: onEndingSignal(interrupt) };
}
