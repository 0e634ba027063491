import { createReadStream, existsSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { type Catalog, loadCatalog } from '../catalog/catalog.ts';
import { packageInfo } from '../catalog/package-info.ts';
import type { Duty } from '../gate/hold-baseline.ts';
import { plan } from '../plan/plan.ts';
import { UsageError } from '../profile/profile.ts';
import { exitCodes } from '../report/exit-code.ts';
import type { Report } from '../report/report.ts';
import type { Stop } from '../send/stop.ts';
import { makeTrafficCheck, type TrafficCheck } from '../traffic/check-traffic.ts';
import { type RecordingItem, readRecording } from '../traffic/read-recording.ts';
import { type BaselineFlags, dutiesOf, openBaseline } from './baseline-file.ts';
import { type ConcludeFlags, conclude } from './conclude.ts';
import { everythingProfile } from './everything-profile.ts';
import { prepareToReadMuch } from './read-much.ts';
import { type TargetFlags, trafficProfile } from './target.ts';
import { chooseReporters } from './write-reports.ts';

/** The flags of `check`. */
export interface CheckFlags extends TargetFlags, ConcludeFlags, BaselineFlags {
  readonly reporter: readonly string[];
}

/** Judges recordings, and gives the exit code; what can't be read is told with its place, and the rest is judged. */
export async function checkCommand(files: readonly string[], flags: CheckFlags): Promise<number> {
  const reporters = chooseReporters(flags.reporter);
  const missing = files.find((file) => file !== '-' && !existsSync(file));
  if (missing !== undefined) throw new UsageError(`There is no recording ${missing}.`);
  const endPreparation = prepareToReadMuch();
  const catalog = await loadCatalog();
  const open = openBaseline(flags, catalog.schemas);
  const profile = trafficProfile(flags, catalog);
  const check = makeTrafficCheck({ catalog, profile, tool: packageInfo });
  endPreparation();
  const interrupted = new AbortController();
  const interrupt = (): void => interrupted.abort();
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const stopped = await readAll(files, check, interrupted.signal);
    const report = check.report(stopped);
    // Nothing was read: a file that is no recording is no report.
    if (report.recording?.exchanges === 0 && report.cases.length === 0 && stopped?.kind !== 'interrupted') {
      if (!stopped) process.stderr.write(`conformance: There is no exchange in ${files.join(', ')}.\n`);
      return exitCodes.usage;
    }
    return await conclude(report, reporters, flags, open && { open, known: trafficDuties(report, catalog) });
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

/** How much of a file is read at once: few entries lie across two pieces of it. */
const highWaterMark = 256 * 1024;

async function readAll(
  files: readonly string[],
  check: TrafficCheck,
  signal: AbortSignal,
): Promise<Stop | undefined> {
  let broken: Stop | undefined;
  for (const file of files) {
    const name = file === '-' ? 'standard input' : file;
    check.begin();
    // Whoever waits for more of it must not keep an interrupted check waiting.
    const bytes = addAbortSignal(
      signal,
      file === '-' ? process.stdin : createReadStream(file, { highWaterMark }),
    );
    for await (const items of readRecording(bytes, name)) {
      for (const item of items) {
        if (signal.aborted) return { kind: 'interrupted', reason: 'The check was interrupted.' };
        const stop = take(item, check);
        broken ??= stop;
      }
    }
  }
  return broken;
}

/** Judges what comes out of a recording; gives why no more of it can be read. */
function take(item: RecordingItem, check: TrafficCheck): Stop | undefined {
  switch (item.kind) {
    case 'exchange':
      check.take(item.recorded);
      return undefined;
    case 'about':
      check.about(item.name, item.value);
      return undefined;
    case 'no-exchange':
      check.skip(`It is no exchange: ${item.problem}`, item.place);
      return undefined;
    case 'broken':
      process.stderr.write(`conformance: ${item.place}: ${item.problem}\n`);
      return { kind: 'recording', reason: `${item.place}: ${item.problem}` };
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
