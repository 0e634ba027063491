import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DataFileError } from '../common/data-file.ts';

/** The lock files of this process. */
const ownLocks = new Set<string>();

/**
 * Creates `FILE.lock` with the ID of this process, so that no second gateway uses the file. Returns a function that
 * removes the lock. Takes over the lock of a process that has ended. Throws a `DataFileError` if another process has
 * the lock, or the error of `unwritable` if the lock cannot be created.
 */
export function lockFile(path: string, unwritable: (error: unknown) => DataFileError): () => void {
  const lock = `${path}.lock`;
  if (!create(lock, unwritable)) {
    const holder = readHolder(path, lock);
    if (holder !== undefined && isRunning(holder, lock))
      throw new DataFileError(
        path,
        undefined,
        `another reference gateway uses this file (process ${holder}). Stop it, or choose another file. If process ${holder} is another program, delete ${lock}.`,
      );
    rmSync(lock, { force: true });
    if (!create(lock, unwritable))
      throw new DataFileError(path, undefined, 'another reference gateway has just started with this file.');
  }
  ownLocks.add(lock);
  return () => {
    if (ownLocks.delete(lock)) rmSync(lock, { force: true });
  };
}

/** Returns false if the file exists. Follows no link. */
function create(lock: string, unwritable: (error: unknown) => DataFileError): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw unwritable(error);
  }
}

/** Returns the process ID in a lock file; undefined if the file is empty, because its process ended too early. */
function readHolder(path: string, lock: string): number | undefined {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (!found) return undefined;
  const text = found.isFile() && found.size < 100 ? readFileSync(lock, 'utf8') : 'no lock';
  if (text === '') return undefined;
  if (/^\d+\n$/.test(text)) return Number(text);
  throw new DataFileError(
    path,
    undefined,
    `${lock} is not a lock of a reference gateway. Move it, or choose another file.`,
  );
}

/**
 * Whether a process runs. In a container, the ID of this process may be that of a gateway that ran before it, and then
 * only a lock of this process counts.
 */
function isRunning(id: number, lock: string): boolean {
  if (id === process.pid) return ownLocks.has(lock);
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // The process of another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
