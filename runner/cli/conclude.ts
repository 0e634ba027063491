import type { Duty } from '../gate/hold-baseline.ts';
import { exitCode, exitCodes } from '../report/exit-code.ts';
import type { Report } from '../report/report.ts';
import { type OpenBaseline, settle } from './baseline-file.ts';
import { wantsColour } from './colour.ts';
import { onEndingSignal } from './ending-signals.ts';
import { tell } from './tell.ts';
import { stdoutWidth } from './terminal-width.ts';
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
  const complain = (message: string): void => tell(`conformance: ${message}`);
  // To cut the writing off would lose what was judged, and not every command has listeners of its own.
  const release = onEndingSignal(() => {});
  try {
    const settled = baseline ? settle(report, baseline.open, baseline.known, flags, tell) : { report };
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
