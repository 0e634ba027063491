import { dirname, relative, sep } from 'node:path';
import type { Comparison } from '../../compare/comparison.ts';
import type { GatewayResults } from '../../compare/gateway-results.ts';
import { UsageError } from '../../profile/profile.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import {
  type ComparisonReporter,
  type ComparisonReporterName,
  comparisonReporterNames,
  comparisonReporters,
  gatewaysReporters,
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
export function writeComparison(
  comparison: Comparison,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  return writeCompared(comparisonReporters, () => comparison, choices, style);
}

/** Does the same as `writeComparison` for the results of gateways. */
export function writeGatewayResults(
  results: GatewayResults,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  return writeCompared(gatewaysReporters, (file) => linkFrom(file, results), choices, style);
}

async function writeCompared<Compared>(
  loaders: Readonly<Record<ComparisonReporterName, () => Promise<ComparisonReporter<Compared>>>>,
  comparedFor: (file: string | undefined) => Compared,
  choices: readonly ComparisonChoice[],
  style: TextStyle,
): Promise<string[]> {
  const writings = choices.map(({ name, file }): ReportWriting => {
    const load = async (): ReturnType<ReportWriting['load']> => {
      const render = await loaders[name]();
      return (own) => render(comparedFor(file), own);
    };
    return { what: `The ${name} comparison`, name, file, load };
  });
  const complaints = await writeTexts(writings, style);
  const plain = { ...style, colour: false };
  return [
    ...complaints,
    ...(await appendSummary(async () => (await loaders.markdown())(comparedFor(undefined), plain))),
  ];
}

/** Returns the results with URLs of the reports that are relative to a file, or to the working folder. */
function linkFrom(file: string | undefined, results: GatewayResults): GatewayResults {
  const from = file === undefined ? '.' : dirname(file);
  const link = (path: string): string =>
    relative(from, path)
      .split(sep)
      .map((part) => encodeURIComponent(part).replace(/[()]/g, (letter) => (letter === '(' ? '%28' : '%29')))
      .join('/');
  return {
    ...results,
    gateways: results.gateways.map((gateway) => ({
      ...gateway,
      file: link(gateway.file),
      page: gateway.page === null ? null : link(gateway.page),
    })),
  };
}
