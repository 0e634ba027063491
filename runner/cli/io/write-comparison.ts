import type { Comparison } from '../../compare/comparison.ts';
import { UsageError } from '../../profile/profile.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import {
  type ComparisonReporterName,
  comparisonReporterNames,
  comparisonReporters,
  isComparisonReporterName,
} from '../../reporters/reporters.ts';
import { appendSummary, chooseReporters, type ReportWriting, writeTexts } from './write-reports.ts';

export interface ComparisonChoice {
  readonly name: ComparisonReporterName;
  /** The path of the file; undefined for stdout. */
  readonly file: string | undefined;
}

/**
 * Reads the values of `--reporter` for a comparison. Throws a `UsageError` for an invalid value, and an
 * `UnwritableError` if a file cannot be written. `explain` begins the message about a reporter that has no comparison.
 */
export function chooseComparisonReporters(
  given: readonly string[],
  explain: (name: string) => string,
): ComparisonChoice[] {
  return chooseReporters(given).map(({ name, file }) => {
    if (isComparisonReporterName(name)) return { name, file };
    throw new UsageError(
      `${explain(name)} The comparison has the reporters ${comparisonReporterNames.join(', ')}.`,
    );
  });
}

/**
 * Writes the reports of a comparison, and appends the comparison as Markdown to the job summary of GitHub Actions if
 * `GITHUB_STEP_SUMMARY` is set. Returns a message for each text that could not be written.
 */
export async function writeComparison(
  comparison: Comparison,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  const writings = choices.map(({ name, file }): ReportWriting => {
    const load = async (): ReturnType<ReportWriting['load']> => {
      const render = await comparisonReporters[name]();
      return (own) => render(comparison, own);
    };
    return { what: `The ${name} comparison`, name, file, load };
  });
  const complaints = await writeTexts(writings, style);
  return [
    ...complaints,
    ...(await appendSummary(async () => (await comparisonReporters.markdown())(comparison))),
  ];
}
