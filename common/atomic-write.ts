import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const temporaryName = { begin: '.conformance-', end: '.tmp' };

/**
 * Whether a path has the name of a temporary file of this module. A killed process can leave a temporary file, which
 * is safe to delete.
 */
export function isTemporary(file: string): boolean {
  const name = basename(file);
  return name.startsWith(temporaryName.begin) && name.endsWith(temporaryName.end);
}

/**
 * Creates a temporary file in a folder, calls `fill`, and renames the file to the path that `fill` returns, so that a
 * reader finds the whole old or the whole new text. Removes the file if `fill` returns undefined, and after an error.
 * The mode applies before the umask. Throws system errors.
 */
export function replaceFile(folder: string, mode: number, fill: (fd: number) => string | undefined): void {
  // The name is unpredictable and the file must be new, so that another user of the folder can't prepare a link or a file
  // with another mode, and several machines can share the folder.
  const file = join(folder, temporaryName.begin + randomUUID() + temporaryName.end);
  const fd = openSync(file, 'wx', mode);
  let target: string | undefined;
  try {
    try {
      target = fill(fd);
    } finally {
      closeSync(fd);
    }
    if (target !== undefined) renameSync(file, target);
  } catch (error) {
    target = undefined;
    throw error;
  } finally {
    if (target === undefined) rmSync(file, { force: true });
  }
}
