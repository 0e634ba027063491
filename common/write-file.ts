import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

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

/**
 * Matches the paths of open files of a process, such as `/dev/stdout`. Renaming a file to such a path would replace
 * the entry in `/dev` or `/proc`.
 */
const openedDevice = /^\/(dev\/(std(in|out|err)|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/;

/**
 * Writes a file atomically: a reader finds the whole old text or the whole new text. Creates parent folders, follows
 * links, and keeps the mode and, if allowed, the owner. Writes directly to devices and pipes. Throws system errors.
 */
export function writeWhole(file: string, pieces: Iterable<string>): void {
  if (isSpecial(file)) {
    writeAndClose(openSync(file, constants.O_WRONLY | constants.O_APPEND), pieces);
    return;
  }
  const target = followLinks(file);
  const before = statSync(target, { throwIfNoEntry: false });
  assertReplaceable(target, before);
  createFolder(dirname(target));
  // A private file stays private during writing.
  replaceFile(dirname(target), before ? 0o600 : newFileMode, (fd) => {
    for (const piece of pieces) writeFileSync(fd, piece);
    if (before) keepOwner(fd, before);
    return target;
  });
}

/** Writes a file that no other process reads. Throws system errors. */
export function writeNew(file: string, pieces: Iterable<string>): void {
  writeAndClose(openSync(file, 'w'), pieces);
}

function writeAndClose(fd: number, pieces: Iterable<string>): void {
  try {
    for (const piece of pieces) writeFileSync(fd, piece);
  } finally {
    closeSync(fd);
  }
}

/** Appends a text to a file. If writing fails, restores the file and throws the system error. */
export function appendWhole(file: string, text: string): void {
  const fd = openSync(file, 'a');
  const { size } = statSync(file);
  try {
    writeFileSync(fd, text);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Throws the system error if a file cannot be written. Leaves no new file or folder. */
export function assertWritable(file: string): void {
  if (isSpecial(file)) {
    accessSync(file, constants.W_OK);
    return;
  }
  const target = followLinks(file);
  assertReplaceable(target, statSync(target, { throwIfNoEntry: false }));
  let folder = dirname(target);
  while (!existsSync(folder)) folder = dirname(folder);
  replaceFile(folder, newFileMode, () => undefined);
}

/** The mode of a new file before the umask is applied. */
const newFileMode = 0o666;

/**
 * Throws a system error if the target is a folder or a file without write permission. Without this check, renaming
 * would replace a write-protected file in a writable folder.
 */
function assertReplaceable(target: string, before: Stats | undefined): void {
  if (before?.isDirectory()) throw systemError('EISDIR', 'the path is a folder');
  if (before) accessSync(target, constants.W_OK);
}

function keepOwner(fd: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only root can change the owner.
  }
  fchmodSync(fd, mode & 0o7777);
}

/**
 * Returns the target of a symbolic link, even if the target does not exist. Returns other paths unchanged. Throws the
 * error of `statSync` for a circle of links.
 */
function followLinks(file: string): string {
  statSync(file, { throwIfNoEntry: false });
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return link ? followLinks(resolve(dirname(file), readlinkSync(file))) : file;
}

// Creates one folder at a time: below /proc, `mkdirSync` with `recursive: true` never returns.
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have created the folder.
    if (!existsSync(folder)) throw error;
  }
}

function isSpecial(file: string): boolean {
  if (openedDevice.test(resolve(file))) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
