import { DataFileError } from '../../../common/data-file.ts';
import type { CheckId } from '../../gate/apply-baseline.ts';
import { applyDeviations } from '../../gate/apply-deviations.ts';
import { chooseExitCode, exitCodes } from '../../gate/exit-code.ts';
import { hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import { reporters } from '../../reporters/reporters.ts';
import type { ValuesOf } from '../../run/define-option.ts';
import { createView, type View } from '../../view/view.ts';
import type { clientFlags, reportFlags } from '../flags/shared-flags.ts';
import { applyOrUpdateBaseline, type OpenBaseline } from './baseline-file.ts';
import { UnwritableError } from './output-file.ts';
import { showPages } from './page-file.ts';
import { getStdoutWidth, isColourEnabled, log, onEndingSignal } from './terminal.ts';
import { appendSummary, type ReporterChoice, writeReports } from './write-reports.ts';

/** The flags for the reports, the baseline and the exit code. */
export type ConcludeFlags = ValuesOf<typeof reportFlags> & Partial<ValuesOf<typeof clientFlags>>;

/** A report, and the checks that a baseline for it can contain. */
export interface Judged {
  readonly report: Report;
  readonly known: () => readonly CheckId[];
}

interface Conclusion {
  readonly reporters: readonly ReporterChoice[];
  readonly baseline: OpenBaseline | undefined;
  readonly flags: ConcludeFlags;
  readonly onReport?: (report: Report) => void;
}

interface Settled {
  readonly report: Report;
  readonly view: View;
  readonly code: number;
  readonly complaints: string[];
}

/**
 * Updates the baseline if requested, applies the baseline, writes the reports, logs errors, and returns the exit code.
 */
export async function conclude(judged: Judged, conclusion: Conclusion): Promise<number> {
  const { flags } = conclusion;
  const complain = (message: string): void => log(`conformance: ${message}`);
  // A signal must not interrupt the writing. Not every command has its own listeners.
  const release = onEndingSignal(() => {});
  try {
    const { report, view, code, complaints } = await settle(judged, conclusion, log);
    conclusion.onReport?.(report);
    complaints.push(...(await appendSummary(async () => (await reporters.markdown())(view))));
    for (const complaint of complaints) complain(complaint);
    if (complaints.length === 0) await showPages(conclusion.reporters, flags.open);
    const isStrict = flags.strict && code !== chooseExitCode(report, { ...flags, strict: false });
    if (isStrict && complaints.length === 0)
      complain(
        'Some checks were not applicable, so the exit code is 3 (--strict). The full report (--verbose) lists the reasons.',
      );
    return complaints.length > 0 && code !== exitCodes.interrupted ? exitCodes.reportNotWritten : code;
  } finally {
    release();
  }
}

/** Does the part of `conclude` that concerns one of several targets, too. Returns a message for each failed writing. */
export async function settle(
  judged: Judged,
  { reporters: choices, baseline, flags }: Conclusion,
  logUpdate: (message: string) => void,
): Promise<Settled> {
  const today = new Date().toISOString().slice(0, 10);
  const scoped = flags.failOn === undefined ? judged.report : { ...judged.report, scope: flags.failOn };
  const declared = { ...judged, report: applyDeviations(scoped, today) };
  const { report, complaint } = applyOrUpdateBaseline(declared, baseline, flags, logUpdate);
  const view = createView(report);
  const unwritten = await writeReports(view, choices, chooseStyle(flags));
  return {
    report,
    view,
    code: chooseExitCode(report, flags),
    complaints: [...(complaint === undefined ? [] : [complaint]), ...unwritten],
  };
}

export function chooseStyle({
  verbose,
  strictClient = false,
}: Pick<ConcludeFlags, 'verbose' | 'strictClient'>): TextStyle {
  const colour = isColourEnabled(process.env, process.stdout.isTTY);
  return { colour, verbose, width: getStdoutWidth(), strictClient };
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
