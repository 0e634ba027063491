import type { Comparison } from '../../compare/comparison.ts';
import { UsageError } from '../../profile/profile.ts';
import {
  type ComparisonReporterName,
  comparisonReporterNames,
  comparisonReporters,
  isComparisonReporterName,
} from '../../reporters/comparison/reporters.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import {
  appendSummary,
  chooseReporters,
  type ReporterChoice,
  type Writing,
  writeTexts,
} from '../io/write-reports.ts';

/** A reporter of comparisons and where its text goes; without a file, to stdout. */
export interface ComparisonChoice {
  readonly name: ComparisonReporterName;
  readonly file: string | undefined;
}

/** What is written of each target by itself, and of all of them together. */
export interface TargetChoices {
  readonly own: ReadonlyMap<string, readonly ReporterChoice[]>;
  readonly comparison: readonly ComparisonChoice[];
}

/** What stands in a path for the name of each target. */
const placeholder = '{target}';

/** Whether a path is one for each target. */
export function isForEach(path: string): boolean {
  return path.includes(placeholder);
}

/** A path for one target. */
export function inPath(path: string, target: string): string {
  return path.replaceAll(placeholder, target);
}

/**
 * Reads `NAME[=FILE]` for several targets: a file with `{target}` in its name is one for each target with its own report,
 * all else is of the comparison. Throws UsageError where there is no such reporter, or two write to the same file.
 */
export function chooseForTargets(given: readonly string[], targets: readonly string[]): TargetChoices {
  const ownOf = (target: string): string[] => given.filter(isForEach).map((text) => inPath(text, target));
  const ofAll = given.filter((text) => !isForEach(text));
  // Held together, so that no two of them write to one file.
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
        `The ${name} report is of one target: --reporter ${name}=out/${placeholder}.${name} writes one for each. A comparison is made as ${comparisonReporterNames.join(', ')}.`,
      );
    }),
  };
}

/** Writes a comparison, also behind the job summary of GitHub Actions; gives the complaints about what could not be written. */
export async function writeComparison(
  comparison: Comparison,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  const writings = choices.map(({ name, file }): Writing => {
    const load = async (): ReturnType<Writing['load']> => {
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
