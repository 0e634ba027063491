import { hideKeys } from '../profile/describe-value.ts';
import { exitCodes } from '../report/exit-code.ts';
import { exitCodeAfterSignal, log } from './io/terminal.ts';
import { parseExitCode, runCommandLine } from './program.ts';

/** The exit codes that take precedence over `reportNotWritten`. */
const precedingCodes: readonly unknown[] = [
  exitCodes.interrupted,
  exitCodes.hungUp,
  exitCodes.usage,
  exitCodes.defect,
];

// A reader such as `head` may close stdout early, which is not an error. After any other error, such as a full disk,
// the reports to files are still written.
let isOutputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  log(
    `conformance: The output could not be written to stdout: ${error.message}. To write a report to a file, use --reporter NAME=FILE.`,
  );
});
process.on('exit', () => {
  if (isOutputLost && !precedingCodes.includes(process.exitCode))
    process.exitCode = exitCodes.reportNotWritten;
});

// A write error on stderr must not end a run.
process.stderr.on('error', () => {});

// Node.js itself would print all properties of the error, such as a request with its key.
process.on('uncaughtException', (error) => process.exit(logDefect(error)));

/** Runs the command line of this process, and sets the exit code of the process. */
export async function main(): Promise<void> {
  try {
    await runCommandLine(process.argv.slice(2));
    process.exitCode = exitCodeAfterSignal(process.exitCode);
  } catch (error) {
    process.exitCode = await fail(error);
  }
}

/**
 * Returns the exit code of an error. Logs the error, unless the command-line parser has already printed it. The stack
 * is logged only for internal errors.
 */
async function fail(error: unknown): Promise<number> {
  const ending = parseExitCode(error);
  if (ending !== undefined) return ending === 0 ? 0 : exitCodes.usage;
  const { isUserError, exitCodeOf } = await import('./io/conclude.ts');
  if (!isUserError(error)) return logDefect(error);
  log(`conformance: ${hideKeys(error.message, process.env)}`);
  return exitCodeOf(error);
}

function logDefect(error: unknown): number {
  const details = error instanceof Error ? error.stack : String(error);
  log(
    `conformance: Internal error in this tool. The gateway did not cause the error. Please report it with this stack:\n${hideKeys(details ?? '', process.env)}`,
  );
  return exitCodes.defect;
}
