import { hideKeys } from '../profile/describe-value.ts';
import { exitCodes } from '../report/exit-code.ts';
import { exitCodeAfterSignal, log } from './io/terminal.ts';
import { parseExitCode, runCommandLine } from './program.ts';

/** The exit codes that take precedence over that of an unwritten report. */
const precedingCodes: readonly unknown[] = [
  exitCodes.interrupted,
  exitCodes.hungUp,
  exitCodes.usage,
  exitCodes.defect,
];

// A reader such as `head` may close early, which is not an error. Other errors, such as a full disk, must not prevent
// reports to files.
let isOutputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isOutputLost) return;
  isOutputLost = true;
  log(`conformance: The output could not be written: ${error.message}`);
});
process.on('exit', () => {
  if (isOutputLost && !precedingCodes.includes(process.exitCode))
    process.exitCode = exitCodes.reportNotWritten;
});

// Lost messages must not end a run.
process.stderr.on('error', () => {});

// Node itself would print all properties of the error, such as a request with its key.
process.on('uncaughtException', (error) => process.exit(logDefect(error)));

try {
  await runCommandLine(process.argv.slice(2));
  process.exitCode = exitCodeAfterSignal(process.exitCode);
} catch (error) {
  process.exitCode = await fail(error);
}

/** Logs an error and returns the exit code; the stack is logged only for internal errors. */
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
    `conformance: Internal error in this tool. It is not a fault of the gateway. Please report it.\n${hideKeys(details ?? '', process.env)}`,
  );
  return exitCodes.defect;
}
