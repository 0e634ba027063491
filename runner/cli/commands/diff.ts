import { loadSchemas } from '../../../common/schemas.ts';
import { chooseDiffExitCode } from '../../compare/change.ts';
import { compareReports } from '../../compare/compare-reports.ts';
import { chooseWorstCode, exitCodes } from '../../gate/exit-code.ts';
import type { FlagsOf } from '../command-table.ts';
import { chooseStyle } from '../io/conclude.ts';
import { readReport } from '../io/read-report.ts';
import { log } from '../io/terminal.ts';
import { chooseComparisonReporters, writeComparison } from '../io/write-comparison.ts';

/**
 * Compares two JSON reports of one gateway, writes the comparison, and returns the exit code. Rejects with a
 * `UsageError` if a flag or a report is invalid, and an `UnwritableError` if an output file is not writable.
 */
export async function diffCommand(
  [before = '', now = '']: readonly string[],
  flags: FlagsOf<'diff'>,
): Promise<number> {
  const choices = chooseComparisonReporters(
    flags.reporter,
    (name) => `The ${name} report covers only one report.`,
  );
  const schemas = await loadSchemas();
  const comparison = compareReports(
    [
      { target: 'before', report: readReport(before, schemas) },
      { target: 'now', report: readReport(now, schemas) },
    ],
    'changes',
  );
  const complaints = await writeComparison(comparison, choices, chooseStyle(flags));
  for (const complaint of complaints) log(`conformance: ${complaint}`);
  return chooseWorstCode([
    chooseDiffExitCode(comparison),
    ...(complaints.length > 0 ? [exitCodes.reportNotWritten] : []),
  ]);
}
