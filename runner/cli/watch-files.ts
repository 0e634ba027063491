import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../profile/profile.ts';
import { isUnfinished } from './write-file.ts';

/** Folders in which nothing of a gateway's own is changed by hand. */
const left = ['.git', 'node_modules'];

/** After so many milliseconds without a further change, what is written has been written. */
const settledMs = 250;

/**
 * Calls back once for each run of changes below the paths, but not for the files of `ignored`, which a run itself
 * writes; tells what keeps it from watching, and gives what ends it. Throws UsageError where there is no such path.
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

/** A file is watched by its folder, since editors put a new file in the place of the old one. */
function watchOne(path: string, changed: (path: string) => void): FSWatcher {
  if (statSync(path).isDirectory())
    return watch(path, { recursive: true }, (_, name) => changed(name === null ? path : join(path, name)));
  return watch(dirname(path), (_, name) => {
    if (name === basename(path)) changed(path);
  });
}
