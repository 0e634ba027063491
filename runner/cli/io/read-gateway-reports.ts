import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeReadError } from '../../../common/data-file.ts';
import type { Schemas } from '../../../common/schemas.ts';
import type { GatewayReport } from '../../compare/gateway-results.ts';
import { hideKeys } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import { readReport } from './read-report.ts';

/** The names of the files in the folder of a gateway, or of a version of it. Only the report must exist. */
const names = { report: 'report.json', page: 'report.html', command: 'command.txt' };
const longestCommand = 5_000;

interface ReportFolder {
  readonly path: string;
  readonly name: string;
  readonly version: string | null;
}

/**
 * Finds the folders with a report, `folder/NAME` or `folder/NAME/VERSION`, sorted by name and version. Throws a
 * `UsageError` if there are none, or if a folder has no report or is not the only place of a version. Folders whose
 * names begin with a dot are ignored.
 */
export function findGatewayReports(folder: string): ReportFolder[] {
  const place = (text: string): string => join(folder, text, names.report);
  const gateways = listFolders(folder);
  if (existsSync(join(folder, names.report)))
    throw new UsageError(
      `${join(folder, names.report)}: the report is not in a folder of its gateway. Move it to ${place('NAME')}, with the name of the gateway.`,
    );
  if (gateways.length === 0)
    throw new UsageError(
      `${folder}: the folder has no folders of gateways. Create a report of each gateway, such as ${place('NAME')}, with \`conformance run --reporter json=FILE\`.`,
    );
  refuseSameNames(folder, gateways);
  return gateways.flatMap((name): ReportFolder[] => {
    const path = join(folder, name);
    const versions = listFolders(path);
    const hasReport = existsSync(join(path, names.report));
    if (hasReport && versions.length > 0)
      throw new UsageError(
        `${join(path, names.report)}: the gateway also has folders of versions. Move the report to a folder of its version, such as ${place(join(name, 'VERSION'))}.`,
      );
    if (hasReport) return [{ path, name, version: null }];
    if (versions.length === 0) throw withoutReport(path);
    refuseSameNames(path, versions);
    return versions.map((version) => ({ path: join(path, version), name, version }));
  });
}

function withoutReport(path: string): UsageError {
  return new UsageError(
    `${path}: the folder has no ${names.report}. Create it with \`conformance run --reporter json=${join(path, names.report)}\`, or remove the folder.`,
  );
}

/** Returns the names of the folders in a folder, with numbers in numeric order. */
function listFolders(path: string): string[] {
  let entries: readonly string[];
  try {
    entries = readdirSync(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown error';
    const problems: Readonly<Record<string, string>> = {
      ENOENT: 'the folder does not exist. Check the path.',
      ENOTDIR: 'it is not a folder. Give the folder that has a folder for each gateway.',
    };
    throw new UsageError(
      `${path}: ${problems[String(code)] ?? `the folder cannot be read (${code}). Check the path and its permissions.`}`,
    );
  }
  return entries
    .filter((name) => !name.startsWith('.'))
    .filter((name) => statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory())
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** Throws a `UsageError` if two names differ only in case: they are one gateway or version, written differently. */
function refuseSameNames(folder: string, found: readonly string[]): void {
  const known = found.map((name) => name.toLowerCase());
  const twice = found.findIndex((_, index) => known.indexOf(known[index] ?? '') !== index);
  if (twice >= 0)
    throw new UsageError(
      `${join(folder, found[twice] ?? '')}: the name differs from ${found[known.indexOf(known[twice] ?? '')]} only in upper and lower case. Rename or remove one of the two folders.`,
    );
}

/**
 * Yields the report of each folder, one after the other, so that the memory of a report can be freed before the next is
 * read. Throws a `UsageError` with the file if a file is invalid, or has the report of an earlier folder.
 */
export function* readGatewayReports(
  folders: readonly ReportFolder[],
  schemas: Schemas,
): Generator<GatewayReport> {
  const files = new Map<string, string>();
  for (const { path, name, version } of folders) {
    const file = join(path, names.report);
    if (!existsSync(file)) throw withoutReport(path);
    const report = readReport(file, schemas);
    const run = [report.startedAt, report.durationMs, report.target.baseUrl].join(' ');
    const known = files.get(run);
    if (known !== undefined)
      throw new UsageError(
        `${file}: the report is of the same run as ${known}. Remove one of the two, or test the other gateway again.`,
      );
    files.set(run, file);
    const page = join(path, names.page);
    yield {
      target: name,
      version,
      report,
      file,
      page: existsSync(page) ? page : null,
      command: readCommand(join(path, names.command)),
    };
  }
}

/** Reads the command, without keys; null if there is no such file. */
function readCommand(file: string): string | null {
  if (!existsSync(file)) return null;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`${file}: ${describeReadError(error)}`);
  }
  if (text.length > longestCommand)
    throw new UsageError(
      `${file}: the command has more than ${longestCommand} characters. Keep only the command that made the report.`,
    );
  return text === '' ? null : hideKeys(text, process.env);
}
