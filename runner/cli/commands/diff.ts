import { loadSchemas } from '../../../common/schemas.ts';
import { wrapWords } from '../../../common/wrap.ts';
import { chooseDiffExitCode, diffReports } from '../../compare/diff-reports.ts';
import { recomputeReport } from '../../report/merge/validate-shards.ts';
import type { Report } from '../../report/report.ts';
import { formatDiffAsMarkdown, formatDiffAsText } from '../../reporters/comparison/diff.ts';
import type { FlagsOf } from '../command-table.ts';
import { readReport } from '../io/read-report.ts';
import { getStdoutWidth, print } from '../io/terminal.ts';

/**
 * Prints the differences between two JSON reports and returns the exit code. Rejects with a `UsageError` if a report
 * cannot be read or is invalid.
 */
export async function diffCommand(
  [before = '', now = '']: readonly string[],
  { markdown }: FlagsOf<'diff'>,
): Promise<number> {
  const schemas = await loadSchemas();
  const read = (file: string): Report => recomputeReport({ file, report: readReport(file, schemas) });
  const diff = diffReports(read(before), read(now));
  print(markdown ? formatDiffAsMarkdown(diff) : wrapLines(formatDiffAsText(diff), getStdoutWidth()));
  return chooseDiffExitCode(diff);
}

function wrapLines(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const prefix = /^ *(?:(?:[^\w\s]|now:|before:) +)?/.exec(line)?.[0] ?? '';
      const rest = line.slice(prefix.length);
      // Text without spaces, such as a case ID, is not wrapped, so that users can copy the text.
      return rest.includes(' ') ? wrapWords({ width }, prefix, rest) : [line];
    })
    .join('\n');
}
