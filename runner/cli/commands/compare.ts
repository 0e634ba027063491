import { loadSchemas } from '../../../common/schemas.ts';
import { collectResults } from '../../compare/gateway-results.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import type { FlagsOf } from '../command-table.ts';
import { chooseStyle } from '../io/conclude.ts';
import { showPages } from '../io/page-file.ts';
import { findGatewayReports, readGatewayReports } from '../io/read-gateway-reports.ts';
import { log } from '../io/terminal.ts';
import { chooseComparisonReporters, writeGatewayResults } from '../io/write-comparison.ts';

/**
 * Reads the reports of gateways from a folder, writes their results, and returns the exit code, which does not depend
 * on the results. Rejects with a `UsageError` if a flag, the folder or a report is invalid, and an `UnwritableError` if
 * an output file is not writable.
 */
export async function compareCommand(
  [folder = '']: readonly string[],
  flags: FlagsOf<'compare'>,
): Promise<number> {
  const found = findGatewayReports(folder);
  const choices = chooseComparisonReporters(
    flags.reporter,
    (name) => `The ${name} report covers only one report.`,
  );
  const results = collectResults(readGatewayReports(found, await loadSchemas()));
  const complaints = await writeGatewayResults(results, choices, chooseStyle(flags));
  for (const complaint of complaints) log(`conformance: ${complaint}`);
  if (complaints.length > 0) return exitCodes.reportNotWritten;
  await showPages(choices, false);
  return exitCodes.conforms;
}
