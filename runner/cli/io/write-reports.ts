import { resolve } from 'node:path';
import { findRepeated } from '../../../common/lists.ts';
import { formatSuggestionOrList } from '../../../common/nearest.ts';
import { appendWhole } from '../../../common/write-file.ts';
import { UsageError } from '../../profile/profile.ts';
import { joinPieces, type ReportText, type TextStyle } from '../../reporters/reporter.ts';
import { isReporterName, type ReporterName, reporterNames, reporters } from '../../reporters/reporters.ts';
import type { View } from '../../view/view.ts';
import { assertWritableFile, formatUnwritten, saveElsewhere, writeOrKeep } from './output-file.ts';

export interface ReporterChoice {
  readonly name: ReporterName;
  /** The path of the file; undefined for stdout. */
  readonly file: string | undefined;
}

/**
 * Reads the values of `--reporter`. Adds the terminal report if no other report goes to stdout. Throws a `UsageError`
 * for an invalid value, and an `UnwritableError` if a file cannot be written.
 */
export function chooseReporters(given: readonly string[]): ReporterChoice[] {
  const chosen = given.map((text): ReporterChoice => {
    const end = text.indexOf('=');
    const name = end < 0 ? text : text.slice(0, end);
    const given = end < 0 ? undefined : text.slice(end + 1);
    const file = given === '/dev/stdout' ? undefined : given;
    if (!isReporterName(name)) {
      throw new UsageError(`Unknown reporter "${name}".${formatSuggestionOrList(name, reporterNames)}`);
    }
    if (file === '')
      throw new UsageError(
        `--reporter ${text} has no file name. Write --reporter ${name}=FILE, or --reporter ${name} for stdout.`,
      );
    return { name, file };
  });
  const onStdout = chosen.filter(({ file }) => file === undefined);
  if (onStdout.length > 1)
    throw new UsageError(
      'Only one reporter can write to stdout. Write the other reports to files: --reporter NAME=FILE.',
    );
  const files = chosen.flatMap(({ file }) =>
    file === undefined || file.startsWith('/dev/') ? [] : [resolve(file)],
  );
  const twice = findRepeated(files);
  if (twice !== undefined)
    throw new UsageError(`Two reporters would write to ${twice}. Choose a different file for each reporter.`);
  for (const { name, file } of chosen) if (file !== undefined) assertWritableFile(`The ${name} report`, file);
  return onStdout.length === 0 ? [...chosen, { name: 'terminal', file: undefined }] : chosen;
}

/**
 * Starts to load the modules of reporters, so that the reports are written faster. Ignores errors, because
 * `writeTexts` reports these errors.
 */
export function loadReporters(choices: readonly ReporterChoice[]): void {
  for (const { name } of choices) reporters[name]().catch(() => {});
}

export interface ReportWriting {
  /** The subject of an error message, such as `The json report`. */
  readonly what: string;
  readonly name: ReporterName;
  /** The file of the report; undefined for stdout. */
  readonly file: string | undefined;
  /** Loads the reporter, and returns a function that formats the report. Rejects if the module cannot be loaded. */
  readonly load: () => Promise<(style: TextStyle) => ReportText>;
}

/** Writes all reports. Returns a message for each report that could not be written. */
export async function writeReports(
  view: View,
  choices: readonly ReporterChoice[],
  style: TextStyle,
): Promise<string[]> {
  const files = choices.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
  return writeTexts(
    choices.map(({ name, file }) => ({
      what: `The ${name} report`,
      name,
      file,
      load: async () => {
        const render = await reporters[name]();
        return (own) => render(view, own);
      },
    })),
    { ...style, files },
  );
}

/** Writes reports one after another. Returns a message for each report that could not be written. */
export async function writeTexts(writings: readonly ReportWriting[], style: TextStyle): Promise<string[]> {
  const inFile = { ...style, colour: false, width: Number.POSITIVE_INFINITY };
  const complaints: (string | undefined)[] = [];
  for (const { what, name, file, load } of writings) {
    try {
      const render = await load();
      if (file === undefined) complaints.push(await writeToStdout(what, name, () => render(style)));
      else complaints.push(writeOrKeep(what, file, () => render(inFile)));
    } catch (error) {
      // A reporter may fail, for example if the package was updated during the run. The other reports are still
      // written.
      complaints.push(formatUnwritten(what, file, error));
    }
  }
  return complaints.filter((complaint) => complaint !== undefined);
}

/**
 * Appends a text to the job summary of GitHub Actions if `GITHUB_STEP_SUMMARY` is set. Resolves to a list with a
 * message if the text cannot be appended; otherwise, to an empty list.
 */
export async function appendSummary(render: () => Promise<string>): Promise<string[]> {
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (!summary) return [];
  try {
    appendWhole(summary, `${await render()}\n`);
    return [];
  } catch (error) {
    return [formatUnwritten('The job summary', summary, error)];
  }
}

/**
 * Writes a text to stdout. Resolves to a message if writing fails; to undefined if the text was written, or if a reader
 * such as `head` closed the pipe early.
 */
async function writeToStdout(
  what: string,
  name: ReporterName,
  createText: () => ReportText,
): Promise<string | undefined> {
  for (const piece of joinPieces(createText())) {
    const error = await new Promise<NodeJS.ErrnoException | null | undefined>((resolve) => {
      process.stdout.write(piece, resolve);
    });
    if (error?.code === 'EPIPE') return undefined;
    if (error) return `${formatUnwritten(what, undefined, error)}${saveElsewhere(name, createText)}`;
  }
  return undefined;
}
