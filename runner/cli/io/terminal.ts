import { logText } from '../../text/printable.ts';

/** Characters in a line of stdout; infinitely many where it is no terminal, so that nothing is wrapped in a pipe. */
export function stdoutWidth(): number {
  return process.stdout.columns || Number.POSITIVE_INFINITY;
}

/** The same of stderr. */
export function stderrWidth(): number {
  return process.stderr.columns || Number.POSITIVE_INFINITY;
}

/** Whether to set a text in colour that goes to a terminal or elsewhere; the environment decides first, in the usual ways. */
export function wantsColour(
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean | undefined,
): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return !isOff(env.FORCE_COLOR);
  return isTerminal === true && env.TERM !== 'dumb' && !isCi(env);
}

/** Whether a CI system runs this. */
export function isCi({ CI }: Readonly<Record<string, string | undefined>>): boolean {
  return CI !== undefined && CI !== '' && !isOff(CI);
}

function isOff(value: string): boolean {
  return value === '0' || value === 'false';
}

/** What a message has of its own. */
interface Looks {
  readonly colours?: boolean;
}

/** Writes a message to stderr. Whatever it quotes is no command to a terminal or a CI system. */
export function log(message: string, looks: Looks = {}): void {
  process.stderr.write(`${logText(message, looks)}\n`);
}

/** Writes a text to stdout, in the same way. */
export function print(text: string, looks: Looks = {}): void {
  process.stdout.write(logText(text, looks));
}
