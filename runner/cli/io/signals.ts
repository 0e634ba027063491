import { exitCodes } from '../../report/exit-code.ts';

/** The signals that end a command: from Ctrl+C, from a supervisor, and from a terminal that is closed. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isHungUp = false;

/** Calls `listener` for each signal that would end the process; returns a function that restores the default. */
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

/** Returns `code`, or another exit code if the command was interrupted because its terminal was closed. */
export function exitCodeAfterSignal(code: typeof process.exitCode): typeof process.exitCode {
  return code === exitCodes.interrupted && isHungUp ? exitCodes.hungUp : code;
}

/** A signal within this time after the first, in milliseconds, counts as the same interruption. */
const patienceMs = 2_000;

/** The request of the user to end a command. */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/** Listens for ending signals and calls `onSignal` for each. A signal much later than the first ends the process. */
export function listenForInterruption(onSignal: () => void): Interruption {
  const stop = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    onSignal();
    // A terminal and npm may both forward a signal. Only a later one ends the process without the reports.
    if (stop.signal.aborted && performance.now() - interruptedAt > patienceMs)
      process.exit(exitCodeAfterSignal(exitCodes.interrupted));
    if (!stop.signal.aborted) interruptedAt = performance.now();
    stop.abort();
  };
  return { signal: stop.signal, release: onEndingSignal(interrupt) };
}
