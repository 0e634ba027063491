import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeReadError } from '../../../common/data-file.ts';
import { toMapping } from '../../../common/mapping.ts';
import { writeWhole } from '../../../common/write-file.ts';
import { hasNoGoodCall } from '../../gate/exit-code.ts';
import { listFailedCases } from '../../gate/failed-cases.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { ignoreOwnFolder, ownFolder } from './own-folder.ts';

const lastRunFile = join(ownFolder, 'last-run.json');

/** What is kept of a run for `--last-failed`. */
export interface LastRun {
  /** The base URL, or a name for the bundled reference gateway, whose address changes. */
  readonly target: string;
  /** The IDs of the cases that failed or were not judged. */
  readonly failed: readonly string[];
}

/**
 * Adds the results of a run to those of earlier runs of the target, which may have had other cases. A run does not fail
 * because nothing can be written.
 */
export function saveLastRun(
  target: string,
  report: Report,
  options: { readonly strictShould: boolean },
): void {
  // Such a run shows nothing about the cases.
  if (hasNoGoodCall(report)) return;
  try {
    const earlier = readOrForget();
    const failed = listFailedCases(earlier?.target === target ? earlier.failed : [], report, options);
    const last: LastRun = { target, failed };
    writeWhole(lastRunFile, [`${JSON.stringify(last, undefined, 2)}\n`]);
    ignoreOwnFolder();
  } catch {
    // The working folder may be read-only.
  }
}

/** Throws a `UsageError` if no run is known, or if its file is invalid. */
export function readLastRun(): LastRun {
  if (!existsSync(lastRunFile))
    throw new UsageError(
      `--last-failed: ${lastRunFile} does not exist, so no earlier run in this folder is known. Run once without --last-failed.`,
    );
  let text: string;
  try {
    text = readFileSync(lastRunFile, 'utf8');
  } catch (error) {
    throw new UsageError(`--last-failed: ${lastRunFile}: ${describeReadError(error)}`);
  }
  const last = parseLastRun(text);
  if (!last)
    throw new UsageError(
      `--last-failed: ${lastRunFile} is not a file of this version. Run once without --last-failed, which replaces the file.`,
    );
  return last;
}

function readOrForget(): LastRun | undefined {
  return existsSync(lastRunFile) ? parseLastRun(readFileSync(lastRunFile, 'utf8')) : undefined;
}

function parseLastRun(text: string): LastRun | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { target, failed } = toMapping(value);
  if (typeof target !== 'string' || !Array.isArray(failed)) return undefined;
  const ids = failed.filter((id) => typeof id === 'string');
  return ids.length === failed.length ? { target, failed: ids } : undefined;
}
