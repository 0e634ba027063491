import { hideKeys } from '../profile/describe-value.ts';
import { exitCodes } from '../report/exit-code.ts';
import { endingCode } from './io/signals.ts';
import { log } from './io/terminal.ts';
import { endingOf, program } from './program.ts';

/** The exit codes that stand above that of what could not be written. */
const stronger: readonly unknown[] = [
  exitCodes.interrupted,
  exitCodes.hungUp,
  exitCodes.usage,
  exitCodes.defect,
];

// A reader such as `head` may have seen enough; a full disk leaves something untold, but ends nothing: reports may still
// have to be written to files.
let isUntold = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || isUntold) return;
  isUntold = true;
  log(`conformance: what was to be told could not be written: ${error.message}`);
});
process.on('exit', () => {
  if (isUntold && !stronger.includes(process.exitCode)) process.exitCode = exitCodes.reportNotWritten;
});

// What is only told beside must not end a run.
process.stderr.on('error', () => {});

// Node itself would show all that the error holds, such as a request with its key.
process.on('uncaughtException', (error) => process.exit(logDefect(error)));

try {
  await program.parseAsync();
  process.exitCode = endingCode(process.exitCode);
} catch (error) {
  process.exitCode = await fail(error);
}

/** Says what is wrong in one message; a defect of ours keeps its stack. */
async function fail(error: unknown): Promise<number> {
  const ending = endingOf(error);
  if (ending !== undefined) return ending === 0 ? 0 : exitCodes.usage;
  const { isUserError, userErrorCode } = await import('./io/conclude.ts');
  if (!isUserError(error)) return logDefect(error);
  log(`conformance: ${hideKeys(error.message, process.env)}`);
  return userErrorCode(error);
}

function logDefect(error: unknown): number {
  const told = error instanceof Error ? error.stack : String(error);
  log(
    `conformance: this is a defect of the suite, not of the gateway. Please report it.\n${hideKeys(told ?? '', process.env)}`,
  );
  return exitCodes.defect;
}
