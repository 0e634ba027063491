import { exitCodes } from '../report/exit-code.ts';

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
