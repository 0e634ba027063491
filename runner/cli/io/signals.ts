import { exitCodes } from '../../report/exit-code.ts';

/** The signals that end a command: Ctrl+C, that of a supervisor, and that of a terminal which is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isHungUp = false;

/** Calls `listener` for each signal that ends a command, instead of ending the process; returns a function that stops that. */
export function onEndingSignal(listener: () => void): () => void {
  const listen = (signal: NodeJS.Signals): void => {
    isHungUp ||= signal === 'SIGHUP';
    listener();
  };
  for (const signal of signals) process.on(signal, listen);
  return () => {
    for (const signal of signals) process.off(signal, listen);
  };
}

/** The exit code of a command that ended with `code`: another one if it was interrupted because its terminal was closed. */
export function endingCode(code: typeof process.exitCode): typeof process.exitCode {
  return code === exitCodes.interrupted && isHungUp ? exitCodes.hungUp : code;
}

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
