import { createReadStream, existsSync, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { packageInfo } from '../../../contract/package-info.ts';
import type { Duty } from '../../baseline/apply-baseline.ts';
import { type Catalog, loadCatalog } from '../../catalog/catalog.ts';
import { plan } from '../../plan/plan.ts';
import { everythingProfile } from '../../profile/everything-profile.ts';
import { UsageError } from '../../profile/profile.ts';
import { type RecordingItem, readRecording } from '../../recordings/read-recording.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { Report } from '../../report/report.ts';
import { createTrafficChecker, type TrafficChecker } from '../../traffic/check-traffic.ts';
import type { Stop } from '../../transport/deadline.ts';
import { type BaselineFlags, dutiesOf, openBaseline } from '../io/baseline-file.ts';
import { type ConcludeFlags, conclude } from '../io/conclude.ts';
import { makeReadingProgress, progressStyle } from '../io/progress.ts';
import { onEndingSignal } from '../io/signals.ts';
import { type TargetFlags, trafficProfile } from '../io/target.ts';
import { log } from '../io/terminal.ts';
import { chooseReporters } from '../io/write-reports.ts';

/** The flags of `check`. */
export interface CheckFlags extends TargetFlags, ConcludeFlags, BaselineFlags {
  readonly reporter: readonly string[];
}

/** Judges recordings, and gives the exit code; what can't be read is told with its place, and the rest is judged. */
export async function checkCommand(files: readonly string[], flags: CheckFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const missing = files.find((file) => file !== '-' && !existsSync(file));
  if (missing !== undefined) throw new UsageError(`There is no recording ${missing}.`);
  const catalog = await loadCatalog();
  const open = openBaseline(flags, catalog.schemas);
  const profile = trafficProfile(flags, catalog);
  const check = createTrafficChecker({ source: 'recording', catalog, profile, tool: packageInfo });
  const interrupted = new AbortController();
  const release = onEndingSignal(() => interrupted.abort());
  try {
    const stopped = await readAll(files, check, interrupted.signal);
    const report = check.report(stopped);
    // Nothing was read: a file that is no recording is no report.
    if (report.recording?.exchanges === 0 && report.cases.length === 0 && stopped?.kind !== 'interrupted') {
      if (!stopped) log(`conformance: There is no exchange in ${files.join(', ')}.`);
      return exitCodes.usage;
    }
    return await conclude(report, reporters, flags, open && { open, known: trafficDuties(report, catalog) });
  } finally {
    release();
  }
}

/** How much of a file is read at once: few entries lie across two pieces of it. */
const highWaterMark = 256 * 1024;

async function readAll(
  files: readonly string[],
  check: TrafficChecker,
  signal: AbortSignal,
): Promise<Stop | undefined> {
  const opened: { readonly bytesRead: number }[] = [];
  const read = (): number => opened.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const progress = makeReadingProgress(process.stderr, progressStyle(), { bytes: sizeOf(files), read });
  const broken: Stop[] = [];
  try {
    for (const file of files) {
      const name = file === '-' ? 'standard input' : file;
      check.startRecording();
      const bytes = file === '-' ? process.stdin : createReadStream(file, { highWaterMark });
      opened.push(bytes);
      // Whoever waits for more of it must not keep an interrupted check waiting.
      for await (const items of readRecording(addAbortSignal(signal, bytes), name)) {
        for (const item of items) {
          if (signal.aborted) return { kind: 'interrupted', reason: 'The check was interrupted.' };
          broken.push(...take(item, check));
        }
      }
    }
  } finally {
    progress.clear();
    for (const { reason } of broken) log(`conformance: ${reason}`);
  }
  return broken[0];
}

/** How many bytes the files have together; undefined where one of them is something else, which only its end tells. */
function sizeOf(files: readonly string[]): number | undefined {
  const found = files.map((file) => (file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })));
  return found.every((file) => file?.isFile() === true)
    ? found.reduce((sum, file) => sum + (file?.size ?? 0), 0)
    : undefined;
}

/** Judges what comes out of a recording; gives why no more of it can be read, where that is so. */
function take(item: RecordingItem, check: TrafficChecker): Stop[] {
  switch (item.kind) {
    case 'exchange':
      check.judge(item.recorded);
      return [];
    case 'metadata':
      check.setMetadata(item.name, item.value);
      return [];
    case 'invalid-entry':
      check.skip(`Not an exchange: ${item.problem}`, item.place);
      return [];
    case 'broken':
      return [{ kind: 'recording', reason: `${item.place}: ${item.problem}` }];
  }
}

/** What a baseline of traffic may speak of: every requirement, in the cases of a run and in those that were recorded. */
export function trafficDuties(report: Report, catalog: Catalog): Duty[] {
  return [
    ...dutiesOf(plan(catalog, everythingProfile(catalog)).cases),
    ...report.cases.flatMap(({ id, obligations }) =>
      obligations.map(({ requirement }) => ({ requirement, case: id })),
    ),
  ];
}
