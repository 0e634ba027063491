import type { Comparison } from '../../compare/comparison.ts';
import { UsageError } from '../../profile/profile.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import {
  type ComparisonReporterName,
  comparisonReporterNames,
  comparisonReporters,
  isComparisonReporterName,
} from '../../reporters/reporters.ts';
import {
  appendSummary,
  chooseReporters,
  type ReporterChoice,
  type ReportWriting,
  writeTexts,
} from '../io/write-reports.ts';

export interface ComparisonChoice {
  readonly name: ComparisonReporterName;
  /** The path of the file; undefined for stdout. */
  readonly file: string | undefined;
}

export interface TargetReporters {
  readonly own: ReadonlyMap<string, readonly ReporterChoice[]>;
  readonly comparison: readonly ComparisonChoice[];
}

const placeholder = '{target}';

/** Whether a path contains the placeholder `{target}`. */
export function isPerTarget(path: string): boolean {
  return path.includes(placeholder);
}

/** Returns the path for one target, with the name of the target in place of each `{target}`. */
export function pathForTarget(path: string, target: string): string {
  return path.replaceAll(placeholder, target);
}

/**
 * Reads the values of `--reporter` for several targets. A report is written for each target if the path contains
 * `{target}`. All other reports are reports of the comparison. Throws a `UsageError` for an invalid value, and an
 * `UnwritableError` if a file cannot be written.
 */
export function chooseTargetReporters(given: readonly string[], targets: readonly string[]): TargetReporters {
  const ownOf = (target: string): string[] =>
    given.filter(isPerTarget).map((text) => pathForTarget(text, target));
  const ofAll = given.filter((text) => !isPerTarget(text));
  // All reports are chosen together to find two reports with the same file.
  chooseReporters([...ofAll, ...targets.flatMap(ownOf)]);
  return {
    own: new Map(
      targets.map((target) => [
        target,
        chooseReporters(ownOf(target)).filter(({ file }) => file !== undefined),
      ]),
    ),
    comparison: chooseReporters(ofAll).map(({ name, file }) => {
      if (isComparisonReporterName(name)) return { name, file };
      throw new UsageError(
        `The ${name} report covers only one target. To write a report for each target, use --reporter ${name}=out/${placeholder}.${name}. The comparison has the reporters ${comparisonReporterNames.join(', ')}.`,
      );
    }),
  };
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
