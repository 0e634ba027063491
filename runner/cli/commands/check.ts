import { createReadStream, existsSync, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { packageInfo } from '../../../common/package-info.ts';
import type { Stop } from '../../exchange/stop.ts';
import type { CheckId } from '../../gate/apply-baseline.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import { formatDraftFromTraffic } from '../../init/format-draft.ts';
import { plan } from '../../plan/plan.ts';
import { createEverythingProfile } from '../../profile/everything-profile.ts';
import { UsageError } from '../../profile/profile.ts';
import type { GatewayPromise } from '../../profile/promise.ts';
import type { Report } from '../../report/report.ts';
import { createTrafficChecker, type TrafficChecker } from '../../traffic/check-traffic.ts';
import { createClientFilter, otherClientReason } from '../../traffic/client-duties.ts';
import { type RecordingItem, readRecording } from '../../traffic/recordings/read-recording.ts';
import type { RecordedExchange } from '../../traffic/recordings/recorded-exchange.ts';
import type { FlagsOf } from '../command-table.ts';
import { listPlannedChecks, listReportedChecks } from '../io/baseline-file.ts';
import { assertWritableFile, writeOrKeep } from '../io/output-file.ts';
import { chooseProgressStyle, createReadingProgress } from '../io/progress.ts';
import { readTrafficTarget } from '../io/target.ts';
import { listenForInterruption, log } from '../io/terminal.ts';
import { reportOn } from './report-command.ts';

/**
 * Judges recordings, writes the reports, and returns the exit code. `files` contains paths, or `-` for standard input.
 * If a part of a recording cannot be read, logs the problem and judges the other parts. Rejects with a `UsageError` if a
 * recording does not exist, and in the same cases as `reportOn`.
 */
export async function checkCommand(files: readonly string[], flags: FlagsOf<'check'>): Promise<number> {
  const { client, writeProfile } = flags;
  const missing = files.find((file) => file !== '-' && !existsSync(file));
  if (missing !== undefined) throw new UsageError(`${missing}: the file does not exist. Check the path.`);
  if (writeProfile !== undefined && existsSync(writeProfile))
    throw new UsageError(
      `--write-profile ${writeProfile}: the file already exists. Choose another path, or remove the file.`,
    );
  if (writeProfile !== undefined) assertWritableFile('The profile', writeProfile);
  return reportOn(flags, {
    open: (catalog) => readTrafficTarget(flags, catalog),
    async judge({ promise }) {
      const check = filterByClient(
        createTrafficChecker({ source: 'recording', promise, tool: packageInfo }),
        client,
      );
      const { signal, release } = listenForInterruption(() => {});
      try {
        // Keys, models and paths that a later exchange shows also apply to earlier exchanges. Therefore, the beginning
        // is read twice. Standard input and pipes can be read only once.
        if (totalSize(files) !== undefined) await learnFrom(files, check, signal);
        const stopped = await readAll(files, check, signal);
        const report = check.report(stopped);
        const isEmpty = report.recording?.exchanges === 0 && report.cases.length === 0;
        if (isEmpty && stopped?.kind !== 'interrupted') {
          if (!stopped) log(`conformance: ${explainNoExchange(report, files)}`);
          return exitCodes.usage;
        }
        if (writeProfile !== undefined) writeLearned(writeProfile, report);
        return { report, known: () => listTrafficChecks(report, promise) };
      } finally {
        release();
      }
    },
  });
}

function explainNoExchange({ recording }: Report, files: readonly string[]): string {
  const skipped = recording?.notJudged ?? [];
  if (skipped.some(({ reason }) => reason === otherClientReason))
    return `No request in ${files.join(', ')} has a User-Agent that contains the text of --client. Use a text that a User-Agent of the recording contains, if the recording has this header.`;
  const found = `No exchange was found in ${files.join(', ')}.`;
  const [other] = skipped.filter(({ reason }) => reason.startsWith('Not '));
  return other
    ? `${found} ${other.reason} (${other.example}). Expected HAR 1.2, or NDJSON with one exchange per line.`
    : `${found} Check that the recording contains requests.`;
}

/** The maximum number of unreadable lines and entries that are logged one by one. */
const shownLost = 10;

/** The size of each read in bytes, large enough that few entries are split between two reads. */
const highWaterMark = 256 * 1024;

/** A traffic checker whose `judge` returns no result for a single exchange. */
type FileChecker = Omit<TrafficChecker, 'judge'> & { readonly judge: (recorded: RecordedExchange) => void };

/** Returns a checker that judges only the exchanges of matching clients, or of all clients if `client` is undefined. */
function filterByClient(check: TrafficChecker, client: string | undefined): FileChecker {
  const isChosen = createClientFilter(client);
  return {
    ...check,
    judge(recorded) {
      if (isChosen(recorded)) check.judge(recorded);
      else check.skip(otherClientReason, recorded.id);
    },
  };
}

/**
 * The maximum number of exchanges that are read twice. Without this limit, a long recording would be read twice as a
 * whole.
 */
const learnedFirst = 2_000;

async function learnFrom(files: readonly string[], check: FileChecker, signal: AbortSignal): Promise<void> {
  let learned = 0;
  for (const file of files) {
    check.startRecording();
    const bytes = addAbortSignal(signal, createReadStream(file, { highWaterMark }));
    try {
      for await (const items of readRecording(bytes, file))
        for (const item of items) {
          if (item.kind === 'metadata') check.setMetadata(item.name, item.value);
          if (item.kind !== 'exchange') continue;
          check.learn(item.recorded);
          learned += 1;
          if (learned >= learnedFirst) return;
        }
    } catch {
      // `readAll` reports the problem.
      return;
    }
  }
}

function writeLearned(file: string, { recording }: Report): void {
  const { learned = [], exchanges = 0 } = recording ?? {};
  const complaint =
    learned.length === 0
      ? `${file} was not written, because the traffic contains no values for a profile. Check a recording with successful calls, or run \`conformance init\`.`
      : writeOrKeep('The profile', file, () => formatDraftFromTraffic(learned, exchanges));
  log(`conformance: ${complaint ?? `Wrote ${file}. Set GATEWAY_API_KEY to use the profile.`}`);
}

async function readAll(
  files: readonly string[],
  check: FileChecker,
  signal: AbortSignal,
): Promise<Stop | undefined> {
  const opened: { readonly bytesRead: number }[] = [];
  const read = (): number => opened.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
  const progress = createReadingProgress(process.stderr, chooseProgressStyle(), {
    bytes: totalSize(files),
    read,
  });
  const problems: Stop[] = [];
  let lost = 0;
  try {
    for (const file of files) {
      const name = file === '-' ? 'standard input' : file;
      check.startRecording();
      const bytes = file === '-' ? process.stdin : createReadStream(file, { highWaterMark });
      opened.push(bytes);
      // An interruption must also end a read that waits for input.
      for await (const items of readRecording(addAbortSignal(signal, bytes), name)) {
        for (const item of items) {
          if (signal.aborted) return { kind: 'interrupted', reason: 'The check was interrupted.' };
          const problem = take(item, check);
          lost += item.kind === 'lost' ? 1 : 0;
          if (problem && (item.kind !== 'lost' || lost <= shownLost)) problems.push(problem);
        }
      }
    }
  } finally {
    progress.clear();
    for (const { reason } of problems) log(`conformance: ${reason}`);
    if (lost > shownLost) log(`conformance: ${lost - shownLost} more lines or entries could not be read.`);
  }
  return problems[0];
}

/** Returns the total size of the files in bytes; undefined if any of the files is not a regular file. */
function totalSize(files: readonly string[]): number | undefined {
  const found = files.map((file) => (file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })));
  return found.every((file) => file?.isFile() === true)
    ? found.reduce((sum, file) => sum + (file?.size ?? 0), 0)
    : undefined;
}

/**
 * Passes an item of a recording to the checker. If the item or the rest of the recording cannot be read, returns the
 * problem; otherwise undefined.
 */
function take(item: RecordingItem, check: FileChecker): Stop | undefined {
  switch (item.kind) {
    case 'exchange':
      check.judge(item.recorded);
      return undefined;
    case 'metadata':
      check.setMetadata(item.name, item.value);
      return undefined;
    case 'invalid-entry':
      check.skip(`Not an exchange: ${item.problem}`, item.place);
      return undefined;
    case 'lost':
      check.skip(`Not read: ${item.problem}`, item.place);
      return {
        kind: 'recording',
        reason: `${item.place}: ${item.problem}. Correct or remove this part of the recording.`,
      };
    case 'broken':
      return { kind: 'recording', reason: `${item.place}: ${item.problem}` };
  }
}

/**
 * Returns the checks that a baseline for traffic can contain: the checks of a run without `--thorough` and with a
 * complete profile, and the checks of the report.
 */
export function listTrafficChecks(report: Report, promise: GatewayPromise): CheckId[] {
  return [
    ...listPlannedChecks(plan({ ...promise, profile: createEverythingProfile(promise) }).cases),
    ...listReportedChecks(report.cases),
  ];
}
