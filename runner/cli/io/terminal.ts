import { exitCodes } from '../../report/exit-code.ts';
import { logText } from '../../text/printable.ts';

/**
 * Returns the width of stdout in characters. The width is infinite if stdout is not a terminal, so that no line
 * is wrapped in a pipe.
 */
export function stdoutWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** Returns the width of stderr in characters. The width is infinite if stderr is not a terminal. */
export function stderrWidth(): number {
  return process.stderr.columns || Number.POSITIVE_INFINITY;
}

/**
 * Whether output has colours. `NO_COLOR` and `FORCE_COLOR` decide. Without these variables, a terminal has colours
 * unless it is dumb or a CI system runs this process.
 */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  return isTerminal === true && env.TERM !== 'dumb' && !isCi(env);
}

/** Whether a CI system runs this process. */
export function isCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return CI !== undefined && CI !== '' && !isOff(CI);
}

function isOff(value: string): boolean {
  return value === '0' || value === 'false';
}

interface LogStyle {
  readonly colours?: boolean;
}

/** Writes a message to stderr. Commands to a terminal or a CI system in the message are escaped. */
export function log(message: string, style: LogStyle = {}): void {
  process.stderr.write(`${logText(message, style)}\n`);
}

/** Writes a text to stdout. Commands to a terminal or a CI system in the text are escaped. */
export function print(text: string, style: LogStyle = {}): void {
  process.stdout.write(logText(text, style));
}

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

/** Returns `code`; if the terminal was closed, the exit code `hungUp` instead of `interrupted`. */
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

/**
 * Listens for ending signals and calls `onSignal` for each. A signal more than 2 s after the first ends the process.
 */
export function listenForInterruption(onSignal: () => void): Interruption {
  const stop = new AbortController();
  let interruptedAt = 0;
  const interrupt = (): void => {
    onSignal();
    // A terminal and npm may both forward one signal. Only a later signal ends the process, without writing the
    // reports.
    if (stop.signal.aborted && performance.now() - interruptedAt > patienceMs)
      process.exit(exitCodeAfterSignal(exitCodes.interrupted));
    if (!stop.signal.aborted) interruptedAt = performance.now();
    stop.abort();
  };
  return { signal: stop.signal, release: onEndingSignal(interrupt) };
}
