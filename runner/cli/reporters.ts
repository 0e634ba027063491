import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { suggestion } from '../catalog/nearest.ts';
import { UsageError } from '../profile/profile.ts';
import { junit } from '../report/junit.ts';
import type { Report } from '../report/report.ts';
import { type TerminalStyle, terminal } from '../report/terminal.ts';

/** The reporters: each makes one text of a report. */
const reporters: Readonly<Record<string, (report: Report, style: TerminalStyle) => string>> = {
  terminal,
  json: (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit,
};

/** A reporter and where its text goes; without a file, to stdout. */
export interface ReporterChoice {
  readonly name: string;
  readonly file: string | undefined;
}

/** Reads `NAME[=FILE]`; text for people goes to stdout unless something else does. Throws UsageError. */
export function chooseReporters(given: readonly string[]): ReporterChoice[] {
  const chosen = given.map((text): ReporterChoice => {
    const end = text.indexOf('=');
    const name = end < 0 ? text : text.slice(0, end);
    const file = end < 0 ? undefined : text.slice(end + 1);
    if (!Object.hasOwn(reporters, name)) {
      throw new UsageError(
        `There is no reporter "${name}".${suggestion(name, Object.keys(reporters)) || ` There are: ${Object.keys(reporters).join(', ')}.`}`,
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
  return onStdout.length === 0 ? [...chosen, { name: 'terminal', file: undefined }] : chosen;
}

/** Writes every report; gives the complaints about those that could not be written. A file is whole or not there. */
export function writeReports(
  report: Report,
  choices: readonly ReporterChoice[],
  style: TerminalStyle,
): string[] {
  return choices.flatMap(({ name, file }) => {
    const make = reporters[name];
    if (!make) return [];
    const text = make(report, file === undefined ? style : { ...style, colour: false });
    if (file === undefined) {
      process.stdout.write(text);
      return [];
    }
    try {
      writeWhole(file, text);
      return [];
    } catch (error) {
      return [
        `The ${name} report could not be written to ${file}: ${error instanceof Error ? error.message : error}`,
      ];
    }
  });
}

function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
