import { exitCodes } from '../gate/exit-code.ts';
import { log } from './io/terminal.ts';
import { logDefect, runCommandLine } from './program.ts';

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
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
