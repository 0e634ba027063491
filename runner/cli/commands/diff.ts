import { loadSchemas } from '../../../contract/schemas.ts';
import { diffCode, diffReports } from '../../diff/diff-reports.ts';
import { diffAsMarkdown, diffAsText } from '../../diff/format-diff.ts';
import type { Report } from '../../report/report.ts';
import { recomputeReport } from '../../shards/recompute-report.ts';
import { readReport } from '../io/read-report.ts';
import { print } from '../io/terminal.ts';

/** The flags of `diff`. */
export interface DiffFlags {
  readonly markdown: boolean;
}

/** Prints the differences between two reports and returns the exit code. */
export async function diffCommand(before: string, now: string, { markdown }: DiffFlags): Promise<number> {
  const schemas = await loadSchemas();
  const read = (file: string): Report => recomputeReport({ file, report: readReport(file, schemas) });
  const diff = diffReports(read(before), read(now));
  print(markdown ? diffAsMarkdown(diff) : diffAsText(diff));
  return diffCode(diff);
}
