import { hideKeys } from '../profile/describe-value.ts';
import { exitCodes } from '../report/exit-code.ts';
import { exitCodeAfterSignal, log } from './io/terminal.ts';
import { parseAndRun, parseExitCode } from './program.ts';

/**
 * Runs a command line. Logs an error, unless the command-line parser has already printed it. Returns the exit code, or
 * undefined if the command set none. The stack is logged only for internal errors.
 */
export async function runCommandLine(args: readonly string[]): Promise<typeof process.exitCode> {
  try {
    await parseAndRun(args);
    return exitCodeAfterSignal(process.exitCode);
  } catch (error) {
    const ending = parseExitCode(error);
    if (ending !== undefined) return ending === 0 ? 0 : exitCodes.usage;
    const { isUserError, exitCodeOf } = await import('./io/conclude.ts');
    if (!isUserError(error)) return logDefect(error);
    log(`conformance: ${hideKeys(error.message, process.env)}`);
    return exitCodeOf(error);
  }
}

/** Logs an internal error with its stack, and returns its exit code. */
export function logDefect(error: unknown): number {
  const details = error instanceof Error ? error.stack : String(error);
  log(
    `conformance: Internal error in this tool. The gateway did not cause the error. Please report it with this stack:\n${hideKeys(details ?? '', process.env)}`,
  );
  return exitCodes.defect;
}
