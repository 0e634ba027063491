import { appendFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { suggestion } from '../catalog/nearest.ts';
import { UsageError } from '../profile/profile.ts';
import type { Report } from '../report/report.ts';
import {
  isReporterName,
  type ReporterName,
  reporterNames,
  reporters,
  type TextStyle,
} from '../report/reporters.ts';
import { writeWhole } from './write-file.ts';

/** A reporter and where its text goes; without a file, to stdout. */
export interface ReporterChoice {
  readonly name: ReporterName;
  readonly file: string | undefined;
}

/** Reads `NAME[=FILE]`; text for people goes to stdout unless something else does. Throws UsageError. */
export function chooseReporters(given: readonly string[]): ReporterChoice[] {
  const chosen = given.map((text): ReporterChoice => {
    const end = text.indexOf('=');
    const name = end < 0 ? text : text.slice(0, end);
    const file = end < 0 ? undefined : text.slice(end + 1);
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
  return onStdout.length === 0 ? [...chosen, { name: 'terminal', file: undefined }] : chosen;
}

/** A text to write. */
export interface Writing {
  readonly what: string;
  /** Without one it goes to stdout. */
  readonly file: string | undefined;
  readonly render: (style: TextStyle) => string;
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
  const writings = await Promise.all(choices.map((choice) => writingOf(report, choice)));
  const complaints = writeTexts(writings, style);
  return [...complaints, ...(await appendSummary(async () => (await reporters.markdown())(report)))];
}

/** The text of a report that was chosen. */
export async function writingOf(report: Report, { name, file }: ReporterChoice): Promise<Writing> {
  const render = await reporters[name]();
  return { what: `${name} report`, file, render: (style) => render(report, style) };
}

/** Writes texts; gives the complaints about those that could not be written. */
export function writeTexts(writings: readonly Writing[], style: TextStyle): string[] {
  const inFile = { ...style, colour: false, width: Number.POSITIVE_INFINITY };
  return writings.flatMap(({ what, file, render }) => {
    if (file !== undefined) return attempt(what, file, () => writeWhole(file, render(inFile)));
    process.stdout.write(render(style));
    return [];
  });
}

/** Appends a text to the job summary of GitHub Actions where there is one; gives the complaint where it can't. */
export async function appendSummary(render: () => Promise<string>): Promise<string[]> {
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (!summary) return [];
  const text = await render();
  return attempt('job summary', summary, () => appendFileSync(summary, `${text}\n`));
}

function attempt(what: string, file: string, write: () => void): string[] {
  try {
    write();
    return [];
  } catch (error) {
    return [`The ${what} could not be written to ${file}: ${error instanceof Error ? error.message : error}`];
  }
}
