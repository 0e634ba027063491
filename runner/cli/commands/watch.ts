import { existsSync, type FSWatcher, statSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ReadStream } from 'node:tty';
import { isTemporary } from '../../../common/write-file.ts';
import { exitCodes } from '../../gate/exit-code.ts';
import { listFailedCases } from '../../gate/failed-cases.ts';
import { UsageError } from '../../profile/profile.ts';
import type { Report } from '../../report/report.ts';
import { addReport, formatChange, type LatestResults } from '../../view/changes.ts';
import { exitCodeOf, formatUserError, isUserError } from '../io/conclude.ts';
import { ownFolder } from '../io/own-folder.ts';
import { onEndingSignal } from '../io/terminal.ts';

export interface RunResult {
  readonly code: number;
  /** The report of the run; undefined if the run has no report. */
  readonly report: Report | undefined;
}

export interface WatchOptions {
  readonly paths: readonly string[];
  /** The files that a run writes. Changes to the written files do not start a run. */
  readonly written: readonly string[];
  /** Runs the cases with these IDs, or all cases if `cases` is undefined. */
  readonly run: (cases: readonly string[] | undefined) => Promise<RunResult>;
  /** Whether a warning counts as a failure. */
  readonly strictShould: boolean;
  readonly log: (line: string) => void;
}

type Trigger =
  | { readonly kind: 'all' | 'failed' | 'quit' }
  | { readonly kind: 'changed'; readonly path: string };

const triggersOfKeys: Readonly<Record<string, Trigger>> = {
  r: { kind: 'all' },
  '\r': { kind: 'all' },
  '\n': { kind: 'all' },
  f: { kind: 'failed' },
  q: { kind: 'quit' },
};
const endOfText = '\u0003';

/**
 * Runs once, and again after the user presses Enter or `r`, or after a file at or below the paths changes. After `f`,
 * runs again with only the failed and inconclusive cases, if such cases exist. Changes
 * during a run lead to one more run. Ends when the user quits or a signal arrives, and returns the exit code of the
 * last run. Reads key presses only if stdin is a terminal. Rejects with a `UsageError` if a path does not exist. An
 * error that the user can correct, such as an invalid profile, is thrown in the first run and logged in later runs.
 */
export async function watch({ paths, written, run, strictShould, log }: WatchOptions): Promise<number> {
  const pending: Trigger[] = [];
  let wake = (): void => {};
  const addTrigger = (next: Trigger): void => {
    pending.push(next);
    wake();
  };
  let running = false;
  // During a run, the run itself handles the signal and returns the exit code 130.
  const quit = (): void => (running ? undefined : addTrigger({ kind: 'quit' }));
  const onKey = (key: string): void => {
    if (key === endOfText || (key === 'q' && running)) process.kill(process.pid, 'SIGINT');
    else if (triggersOfKeys[key]) addTrigger(triggersOfKeys[key]);
  };
  const asksKeys = process.stdin.isTTY === true;
  const stopFiles = watchFiles(
    paths,
    written,
    (path) => addTrigger({ kind: 'changed', path }),
    (error) => log(`Watching for changes stopped (${error.message}). To watch again, restart the command.`),
  );
  const stopKeys = asksKeys ? readKeys(process.stdin, onKey) : () => {};
  const release = onEndingSignal(quit);
  let latest: LatestResults = new Map();
  let failed: readonly string[] = [];
  const runOnce = async (cases: readonly string[] | undefined): Promise<number> => {
    running = true;
    const { code, report } = await run(cases).finally(() => (running = false));
    if (report) {
      if (latest.size > 0) log(formatChange(latest, report));
      latest = addReport(latest, report);
      failed = listFailedCases(failed, report, { strictShould });
    }
    return code;
  };
  try {
    let code = await runOnce(undefined);
    while (code !== exitCodes.interrupted) {
      log(formatHint(asksKeys, paths));
      while (pending.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const received = pending.splice(0);
      if (received.some(({ kind }) => kind === 'quit')) break;
      const onlyFailed = received.every(({ kind }) => kind === 'failed');
      if (onlyFailed && failed.length === 0) {
        log('There are no failed or inconclusive cases to run.');
        continue;
      }
      for (const item of received) if (item.kind === 'changed') log(`${item.path} changed.`);
      code = await runOnce(onlyFailed ? failed : undefined).catch((error: unknown) => {
        if (!isUserError(error)) throw error;
        log(formatUserError(error));
        return exitCodeOf(error);
      });
    }
    return code;
  } finally {
    release();
    stopKeys();
    stopFiles();
  }
}

function formatHint(asksKeys: boolean, paths: readonly string[]): string {
  const changes = paths.length === 0 ? '.' : ` for changes in ${paths.join(', ')}.`;
  const keys = asksKeys
    ? ' Press Enter to run again, f to run the failed and inconclusive cases, or q to quit.'
    : '';
  return `Waiting${changes}${keys}`;
}

/**
 * Puts the terminal into raw mode and calls `onKey` with each character that the user types. Returns a function that
 * stops reading and ends raw mode.
 */
export function readKeys(terminal: ReadStream, onKey: (key: string) => void): () => void {
  const read = (piece: Buffer): void => {
    for (const key of piece.toString()) onKey(key);
  };
  terminal.setRawMode(true);
  terminal.on('data', read).resume();
  return () => {
    terminal.off('data', read).pause();
    terminal.setRawMode(false);
  };
}

const ignoredFolders = ['.git', 'node_modules', ownFolder];

/** The time without further changes after which a change is reported, in milliseconds. */
const settledMs = 250;

/**
 * Calls `onChange` with the last changed path after each series of changes at or below `paths`. Ignores the files
 * `ignored` and the folders that contain these files, temporary files of this tool, and `ignoredFolders`. Calls
 * `onError` if watching fails. Returns a function that stops watching. Throws a `UsageError` if a path does not exist.
 */
export function watchFiles(
  paths: readonly string[],
  ignored: readonly string[],
  onChange: (path: string) => void,
  onError: (error: Error) => void,
): () => void {
  const own = ignored.map((path) => resolve(path));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new UsageError(`--watch ${missing}: the file or folder does not exist. Check the path.`);
  let timer: NodeJS.Timeout | undefined;
  const handleChange = (path: string): void => {
    if (isTemporary(path) || path.split(sep).some((part) => ignoredFolders.includes(part))) return;
    if (own.some((file) => path === file || file.startsWith(path + sep))) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), settledMs);
  };
  const watchers = paths.map((path) => watchOne(resolve(path), handleChange).on('error', onError));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/**
 * Watches a file, or a folder with its whole content. A file is watched through its folder, because editors replace
 * files.
 */
function watchOne(path: string, onChange: (path: string) => void): FSWatcher {
  if (statSync(path).isDirectory())
    return watchFolder(path, { recursive: true }, (_, name) =>
      onChange(name === null ? path : join(path, name)),
    );
  return watchFolder(dirname(path), (_, name) => {
    if (name === basename(path)) onChange(path);
  });
}
