import { existsSync, type FSWatcher, statSync, watch as watchFolder } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { ReadStream } from 'node:tty';
import { formatChange, type Latest, remember } from '../../diff/format-diff.ts';
import { UsageError } from '../../profile/profile.ts';
import { exitCodes } from '../../report/exit-code.ts';
import type { Report } from '../../report/report.ts';
import { isUserError, userErrorCode } from '../io/conclude.ts';
import { onEndingSignal } from '../io/signals.ts';
import { isUnfinished } from '../io/write-file.ts';

/** What a run came to. */
export interface Ran {
  readonly code: number;
  /** Undefined where nothing was sent. */
  readonly report: Report | undefined;
}

/** What is watched, and what runs each time. */
export interface Watch {
  readonly paths: readonly string[];
  /** The files that a run writes. */
  readonly written: readonly string[];
  /** Runs everything, or these cases. */
  readonly run: (cases: readonly string[] | undefined) => Promise<Ran>;
  readonly log: (line: string) => void;
}

/** What makes it go on after a run. */
type Cue = { readonly kind: 'all' | 'failed' | 'quit' } | { readonly kind: 'changed'; readonly path: string };

const cues: Readonly<Record<string, Cue>> = {
  r: { kind: 'all' },
  '\r': { kind: 'all' },
  '\n': { kind: 'all' },
  f: { kind: 'failed' },
  q: { kind: 'quit' },
};
const endOfText = '\u0003';

/**
 * Runs again and again, when a key is pressed or a file below the paths changes, until it is left; gives the exit code of
 * the last run. Keys are read where stdin is a terminal. A profile that can't be used ends it in the first run only.
 */
export async function watch({ paths, written, run, log }: Watch): Promise<number> {
  const pending: Cue[] = [];
  let wake = (): void => {};
  const cue = (next: Cue): void => {
    pending.push(next);
    wake();
  };
  let running = false;
  // In a run it is the run's own to end; it then comes back with 130.
  const leave = (): void => (running ? undefined : cue({ kind: 'quit' }));
  const onKey = (key: string): void => {
    if (key === endOfText || (key === 'q' && running)) process.kill(process.pid, 'SIGINT');
    else if (cues[key]) cue(cues[key]);
  };
  const asksKeys = process.stdin.isTTY === true;
  const stopFiles = watchFiles(
    paths,
    written,
    (path) => cue({ kind: 'changed', path }),
    (error) => log(`Changes can't be watched for any more: ${error.message}`),
  );
  const stopKeys = asksKeys ? readKeys(process.stdin, onKey) : () => {};
  const release = onEndingSignal(leave);
  let latest: Latest = new Map();
  let failed: readonly string[] = [];
  const runOnce = async (cases: readonly string[] | undefined): Promise<number> => {
    running = true;
    const { code, report } = await run(cases).finally(() => (running = false));
    if (report) {
      if (latest.size > 0) log(formatChange(latest, report));
      latest = remember(latest, report);
      failed = stillFailed(failed, report);
    }
    return code;
  };
  try {
    let code = await runOnce(undefined);
    while (code !== exitCodes.interrupted) {
      log(hint(asksKeys, paths));
      while (pending.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      const told = pending.splice(0);
      if (told.some(({ kind }) => kind === 'quit')) break;
      const onlyFailed = told.every(({ kind }) => kind === 'failed');
      if (onlyFailed && failed.length === 0) {
        log('Nothing failed in the last run.');
        continue;
      }
      for (const item of told) if (item.kind === 'changed') log(`${item.path} changed.`);
      code = await runOnce(onlyFailed ? failed : undefined).catch((error: unknown) => {
        if (!isUserError(error)) throw error;
        log(error.message);
        return userErrorCode(error);
      });
    }
    return code;
  } finally {
    release();
    stopKeys();
    stopFiles();
  }
}

/** The cases that failed when they were last sent. */
function stillFailed(before: readonly string[], { cases }: Report): string[] {
  const sent = new Set(cases.map(({ id }) => id));
  const now = cases.filter(({ outcome }) => outcome === 'violates' || outcome === 'inconclusive');
  return [...before.filter((id) => !sent.has(id)), ...now.map(({ id }) => id)];
}

function hint(asksKeys: boolean, paths: readonly string[]): string {
  const changes = paths.length === 0 ? [] : [`a change below ${paths.join(', ')} runs again`];
  const keys = asksKeys ? ['enter runs again, f what failed, q ends'] : [];
  return `Waiting: ${[...changes, ...keys].join('; ')}.`;
}

/** Calls back for each key that is pressed, without waiting for enter; gives what puts the terminal back. */
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

/** Folders in which nothing of a gateway's own is changed by hand. */
const left = ['.git', 'node_modules'];

/** After so many milliseconds without a further change, what is written has been written. */
const settledMs = 250;

/**
 * Calls back once for each run of changes below the paths, but not for the files of `ignored`, which a run itself
 * writes; reports what keeps it from watching, and gives what ends it. Throws UsageError where there is no such path.
 */
export function watchFiles(
  paths: readonly string[],
  ignored: readonly string[],
  onChange: (path: string) => void,
  onError: (error: Error) => void,
): () => void {
  const own = ignored.map((path) => resolve(path));
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw new UsageError(`There is no file or folder ${missing} to watch.`);
  let timer: NodeJS.Timeout | undefined;
  const changed = (path: string): void => {
    if (isUnfinished(path) || path.split(sep).some((part) => left.includes(part))) return;
    if (own.some((file) => path === file || file.startsWith(path + sep))) return;
    clearTimeout(timer);
    timer = setTimeout(() => onChange(path), settledMs);
  };
  const watchers = paths.map((path) => watchOne(resolve(path), changed).on('error', onError));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Watches a file through its folder, since editors replace a file by a new one. */
function watchOne(path: string, changed: (path: string) => void): FSWatcher {
  if (statSync(path).isDirectory())
    return watchFolder(path, { recursive: true }, (_, name) =>
      changed(name === null ? path : join(path, name)),
    );
  return watchFolder(dirname(path), (_, name) => {
    if (name === basename(path)) changed(path);
  });
}
