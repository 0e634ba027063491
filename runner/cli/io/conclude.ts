import { DataFileError } from '../../../contract/data-file.ts';
import type { Duty } from '../../baseline/apply-baseline.ts';
import { UsageError } from '../../profile/profile.ts';
import { exitCode, exitCodes } from '../../report/exit-code.ts';
import type { Report } from '../../report/report.ts';
import { type OpenBaseline, settle } from './baseline-file.ts';
import { onEndingSignal } from './signals.ts';
import { log, stdoutWidth, wantsColour } from './terminal.ts';
import { UnwritableError } from './write-file.ts';
import { type ReporterChoice, writeReports } from './write-reports.ts';

/** The flags that say what is shown of a report, and when it fails. */
export interface ConcludeFlags {
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly strictShould: boolean;
  /** Of traffic that somebody else produced. */
  readonly strictClient?: boolean;
}

/** Holds a report to its baseline, writes it, and gives the exit code. */
export async function conclude(
  report: Report,
  reporters: readonly ReporterChoice[],
  flags: ConcludeFlags,
  baseline: { readonly open: OpenBaseline; readonly known: readonly Duty[] } | undefined,
): Promise<number> {
  const complain = (message: string): void => log(`conformance: ${message}`);
  // To cut the writing off would lose what was judged, and not every command has listeners of its own.
  const release = onEndingSignal(() => {});
  try {
    const settled = baseline ? settle(report, baseline.open, baseline.known, flags, log) : { report };
    const unwritten = await writeReports(settled.report, reporters, {
      colour: wantsColour(process.env, process.stdout.isTTY),
      verbose: flags.verbose,
      width: stdoutWidth(),
    });
    const complaints = [...('complaint' in settled ? [settled.complaint] : []), ...unwritten];
    for (const complaint of complaints) complain(complaint);
    const code = exitCode(settled.report, flags);
    return complaints.length > 0 && code !== exitCodes.interrupted ? exitCodes.reportNotWritten : code;
  } finally {
    release();
  }
}

/** The user left instead of giving an answer. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Whether the user can correct the cause of an error, so that it is printed without a stack. */
export function isUserError(error: unknown): error is Error {
  return (
    error instanceof DataFileError ||
    error instanceof UsageError ||
    error instanceof UnwritableError ||
    isListenError(error)
  );
}

/** The exit code of what is the user's to mend. */
export function userErrorCode(error: Error): number {
  return error instanceof UnwritableError ? exitCodes.reportNotWritten : exitCodes.usage;
}

function isListenError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  );
}
