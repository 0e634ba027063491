import { logText } from '../../text/printable.ts';

/** Returns the width of stdout in characters; infinite if it is not a terminal, so that nothing is wrapped in a pipe. */
export function stdoutWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** Returns the width of stderr in characters; infinite if it is not a terminal. */
export function stderrWidth(): number {
  return process.stderr.columns || Number.POSITIVE_INFINITY;
}

/** Whether output has colours. The usual environment variables decide first, then whether it is a terminal. */
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

/** Writes a message to stderr. Commands to a terminal or a CI system in quoted text are escaped. */
export function log(message: string, looks: LogStyle = {}): void {
  process.stderr.write(`${logText(message, looks)}\n`);
}

/** Writes a text to stdout, escaped in the same way. */
export function print(text: string, looks: LogStyle = {}): void {
  process.stdout.write(logText(text, looks));
}
