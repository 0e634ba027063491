import { type ComparisonChoice, chooseComparisonReporters } from '../io/write-comparison.ts';
import { chooseReporters, type ReporterChoice } from '../io/write-reports.ts';

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
    comparison: chooseComparisonReporters(
      ofAll,
      (name) =>
        `The ${name} report covers only one target. To write a report for each target, use --reporter ${name}=out/${placeholder}.${name}.`,
    ),
  };
}
