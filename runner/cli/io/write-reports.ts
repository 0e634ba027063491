import { resolve } from 'node:path';
import { suggestion } from '../../../contract/nearest.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import type { TextStyle } from '../../reporters/reporter.ts';
import { isReporterName, type ReporterName, reporterNames, reporters } from '../../reporters/reporters.ts';
import { appendWhole, assertWritableFiles, formatUnwritten, keptIn, writeOrKeep } from './write-file.ts';

/** A reporter and where its text goes; without a file, to stdout. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | undefined;
}

/**
 * Reads `NAME[=FILE]`; text for people goes to stdout unless something else does. Throws UsageError, and UnwritableError
 * if a file can't be written, before the run instead of after it.
 */
export function chooseReporters(given: readonly string[]): ReporterChoice[] {
  const chosen = given.map((text): ReporterChoice => {
    const end = text.indexOf('=');
    const name = end < 0 ? text : text.slice(0, end);
    const given = end < 0 ? undefined : text.slice(end + 1);
    const file = given === '/dev/stdout' ? undefined : given;
    if (!isReporterName(name)) {
      throw new UsageError(
        `There is no reporter "${name}".${suggestion(name, reporterNames) || ` There are: ${reporterNames.join(', ')}.`}`,
      );
    }
    if (file === '') throw new UsageError(`--reporter ${text} names no file.`);
    return { name, file };
  });
  const onStdout = chosen.filter(({ file }) => file === undefined);
  if (onStdout.length > 1)
    throw new UsageError(
      'Only one reporter can write to stdout; give the others a file: --reporter NAME=FILE.',
    );
  const files = chosen.flatMap(({ file }) =>
    file === undefined || file.startsWith('/dev/') ? [] : [resolve(file)],
  );
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined)
    throw new UsageError(`Two reporters would write to ${twice}; give each a file of its own.`);
  for (const { name, file } of chosen)
    if (file !== undefined) assertWritableFiles(`The ${name} report`, file);
  return onStdout.length === 0 ? [...chosen, { name: 'terminal', file: undefined }] : chosen;
}

/** Loads reporters while something else is waited for; where one can't be loaded, writing says so. */
export function loadReporters(choices: readonly ReporterChoice[]): void {
  for (const { name } of choices) reporters[name]().catch(() => {});
}

/** A text to write, under the name of its reporter. */
export interface Writing {
  readonly what: string;
  readonly name: ReporterName;
  /** Without one it goes to stdout. */
  readonly file: string | undefined;
  /** Loads what makes the text; may fail. */
  readonly load: () => Promise<(style: TextStyle) => string>;
}

/**
 * Writes every report, and the Markdown report behind the job summary of GitHub Actions where there is one; gives the
 * complaints about those that could not be written.
 */
export async function writeReports(
  report: Report,
  choices: readonly ReporterChoice[],
  style: TextStyle,
): Promise<string[]> {
  const files = choices.flatMap(({ name, file }) => (file === undefined ? [] : [{ name, file }]));
  const complaints = await writeTexts(
    choices.map((choice) => writingOf(report, choice)),
    { ...style, files },
  );
  return [...complaints, ...(await appendSummary(async () => (await reporters.markdown())(report)))];
}

/** The text of a report that was chosen. */
export function writingOf(report: Report, { name, file }: ReporterChoice): Writing {
  const load = async (): Promise<(style: TextStyle) => string> => {
    const render = await reporters[name]();
    return (style) => render(report, style);
  };
  return { what: `The ${name} report`, name, file, load };
}

/** Writes texts; gives the complaints about those that could not be written. */
export async function writeTexts(writings: readonly Writing[], style: TextStyle): Promise<string[]> {
  const inFile = { ...style, colour: false, width: Number.POSITIVE_INFINITY };
  const complaints: (string | undefined)[] = [];
  for (const { what, name, file, load } of writings) {
    try {
      const render = await load();
      if (file === undefined) complaints.push(await writeToStdout(what, name, render(style)));
      else complaints.push(writeOrKeep(what, file, render(inFile)));
    } catch (error) {
      // A reporter of a package that was replaced meanwhile takes no other report with it.
      complaints.push(formatUnwritten(what, file ?? 'stdout', error));
    }
  }
  return complaints.filter((complaint) => complaint !== undefined);
}

/** Appends a text to the job summary of GitHub Actions where there is one; gives the complaint where it can't. */
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

/** A reader that has seen enough, such as `head`, is nothing to complain of. */
function writeToStdout(what: string, name: ReporterName, text: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
      const isLost = error && error.code !== 'EPIPE';
      resolve(isLost ? `${formatUnwritten(what, 'stdout', error)}${keptIn(name, text)}` : undefined);
    });
  });
}
