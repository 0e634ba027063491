import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { logText } from '../../../common/printable.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { exitCodes } from '../../gate/exit-code.ts';

/**
 * Returns the width of stdout in columns; `Infinity` if stdout is not a terminal, so that no line is wrapped in a pipe.
 */
export function getStdoutWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** Returns the width of stderr in columns; `Infinity` if stderr is not a terminal. */
export function getStderrWidth(): number {
  return process.stderr.columns || Number.POSITIVE_INFINITY;
}

/**
 * Whether output has colours. `NO_COLOR` disables colours. Without `NO_COLOR`, `FORCE_COLOR` enables colours or, with
 * the value `0` or `false`, disables colours. If both variables are unset or empty, output to a terminal has colours,
 * except with `TERM=dumb` or in a CI system.
 */
export function isColourEnabled(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  return isTerminal === true && env.TERM !== 'dumb' && !isCi(env);
}

/** Whether a CI system runs this process: the variable `CI` is set, and is neither empty, `0` nor `false`. */
export function isCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return CI !== undefined && CI !== '' && !isOff(CI);
}

function isOff(value: string): boolean {
  return value === '0' || value === 'false';
}

interface LogStyle {
  readonly colours?: boolean;
}

/**
 * Writes a message and a line feed to stderr, wrapped between words on a terminal. Escapes commands to a terminal or a
 * CI system in the message.
 */
export function log(message: string, style: LogStyle = {}): void {
  const width = getStderrWidth();
  const lines = logText(message, style)
    .split('\n')
    .flatMap((line) => {
      const [indent = ''] = /^ */.exec(line) ?? [];
      return wrapWords({ width }, indent, line.slice(indent.length));
    });
  process.stderr.write(`${lines.join('\n')}\n`);
}

/** Writes a label and the path of a file to stderr. On a terminal, the path is a link to the file. */
export function logPath(label: string, file: string): void {
  const path = logText(file);
  const isLink = process.stderr.isTTY === true && process.env.TERM !== 'dumb' && !isCi(process.env);
  process.stderr.write(`${label}${isLink ? formatLink(pathToFileURL(resolve(file)).href, path) : path}\n`);
}

/** Formats a link (OSC 8), of which a terminal shows only the text. */
function formatLink(url: string, text: string): string {
  return `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Writes a text to stdout. Escapes commands to a terminal or a CI system in the text. */
export function print(text: string, style: LogStyle = {}): void {
  process.stdout.write(logText(text, style));
}

/** The signals that end a command: from Ctrl+C, from a supervisor, and from a closed terminal. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let isHungUp = false;

/**
 * Calls `listener` for each SIGINT, SIGTERM and SIGHUP, which then do not end the process. Returns a function that
 * removes the listener.
 */
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

/**
 * Returns the exit code after a signal: `hungUp` instead of `interrupted` if the terminal was closed, otherwise `code`.
 */
export function exitCodeAfterSignal<Code extends number | undefined>(code: Code): Code | number {
  return code === exitCodes.interrupted && isHungUp ? exitCodes.hungUp : code;
}

/** The time after the first signal, in milliseconds, in which further signals count as the same interruption. */
const gracePeriodMs = 2_000;

/**
 * The interruption of a command by a signal. `signal` is aborted at the first signal, and `release` removes the
 * listeners.
 */
export interface Interruption {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

/**
 * Calls `onSignal` for each SIGINT, SIGTERM and SIGHUP. A signal more than 2 s after the first signal ends the process,
 * unless the process was busy for the whole time and could not handle the signal earlier.
 */
export function listenForInterruption(onSignal: () => void): Interruption {
  const stop = new AbortController();
  let isInGracePeriod = true;
  const endGracePeriod = (): void => {
    isInGracePeriod = false;
  };
  const interrupt = (): void => {
    onSignal();
    // A terminal and npm may both forward one signal. Only a later signal ends the process, without writing the
    // reports.
    if (!isInGracePeriod) process.exit(exitCodeAfterSignal(exitCodes.interrupted));
    // If this process was busy for the whole time, a signal that arrived meanwhile is handled before the immediate.
    if (!stop.signal.aborted) setTimeout(() => setImmediate(endGracePeriod), gracePeriodMs).unref();
    stop.abort();
  };
  return { signal: stop.signal, release: onEndingSignal(interrupt) };
}
