import { DataFileError } from '../../../common/data-file.ts';
import type { CheckId } from '../../gate/apply-baseline.ts';
import { chooseExitCode, exitCodes } from '../../gate/exit-code.ts';
import { hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { applyOrUpdateBaseline, type OpenBaseline } from './baseline-file.ts';
import { getStdoutWidth, isColourEnabled, log, onEndingSignal } from './terminal.ts';
import { UnwritableError } from './write-file.ts';
import { type ReporterChoice, writeReports } from './write-reports.ts';

/** The flags for the terminal report and the exit code. */
export interface ConcludeFlags {
  readonly verbose: boolean;
  readonly strict: boolean;
  readonly strictShould: boolean;
  /** Whether a violated client duty of level `must` fails the command. Only for recorded and live traffic. */
  readonly strictClient?: boolean;
}

/**
 * Updates the baseline if requested, applies the baseline, writes the reports, logs errors, and returns the exit code.
 */
export async function conclude(
  report: Report,
  reporters: readonly ReporterChoice[],
  flags: ConcludeFlags,
  baseline: { readonly open: OpenBaseline; readonly known: readonly CheckId[] } | undefined,
): Promise<number> {
  const complain = (message: string): void => log(`conformance: ${message}`);
  // A signal must not interrupt the writing. Not every command has its own listeners.
  const release = onEndingSignal(() => {});
  try {
    const settled = baseline
      ? applyOrUpdateBaseline(report, baseline.open, baseline.known, flags, log)
      : { report };
    const unwritten = await writeReports(settled.report, reporters, {
      colour: isColourEnabled(process.env, process.stdout.isTTY),
      verbose: flags.verbose,
      width: getStdoutWidth(),
      strictClient: flags.strictClient ?? false,
    });
    const complaints = [...('complaint' in settled ? [settled.complaint] : []), ...unwritten];
    for (const complaint of complaints) complain(complaint);
    const code = chooseExitCode(settled.report, flags);
    const isStrict = flags.strict && code !== chooseExitCode(settled.report, { ...flags, strict: false });
    if (isStrict && complaints.length === 0)
      complain(
        'Some checks were not applicable, so the exit code is 3 (--strict). The full report (--verbose) lists the reasons.',
      );
    return complaints.length > 0 && code !== exitCodes.interrupted ? exitCodes.reportNotWritten : code;
  } finally {
    release();
  }
}

export class CancelError extends Error {
  override readonly name = 'CancelError';
}

/** Whether the user can correct the cause of an error. */
export function isUserError(error: unknown): error is Error {
  return (
    error instanceof DataFileError ||
    error instanceof UsageError ||
    error instanceof UnwritableError ||
    isListenError(error)
  );
}

/** Formats an error that the user can correct. Possible keys in the message are replaced. */
export function formatUserError({ message }: Error): string {
  return `conformance: ${hideKeys(message, process.env)}`;
}

export function exitCodeOf(error: Error): number {
  return error instanceof UnwritableError ? exitCodes.reportNotWritten : exitCodes.usage;
}

function isListenError(error: unknown): error is Error {
  return (
    error instanceof Error &&
    'syscall' in error &&
    (error.syscall === 'listen' || error.syscall === 'getaddrinfo')
  );
}
