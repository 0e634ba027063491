import { loadSchemas } from '../catalog/schemas.ts';
import { diffCode, diffReports } from '../gate/diff-reports.ts';
import { diffAsMarkdown, diffAsText } from '../gate/word-diff.ts';
import { readReport } from './read-report.ts';

/** The flags of `diff`. */
export interface DiffFlags {
  readonly markdown: boolean;
}

/** Says what changed from one report to the next, and gives the exit code. */
export async function diffCommand(before: string, now: string, { markdown }: DiffFlags): Promise<number> {
  const schemas = await loadSchemas();
  const diff = diffReports(readReport(before, schemas), readReport(now, schemas));
  process.stdout.write(markdown ? diffAsMarkdown(diff) : diffAsText(diff));
  return diffCode(diff);
}
