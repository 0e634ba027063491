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
  mkdtempSync,
  openSync,
  readlinkSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { replaceFile } from '../../../common/atomic-write.ts';
import { joinPieces, type ReportText } from '../../reporters/reporter.ts';

/**
 * Matches the paths of open files of a process, such as `/dev/stdout`. Renaming a file to such a path would replace
 * the entry in `/dev` or `/proc`.
 */
const openedDevice = /^\/(dev\/(std(in|out|err)|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/;

/**
 * Writes a file atomically: a reader finds the whole old text or the whole new text. Creates parent folders, follows
 * links, and keeps the mode and, if allowed, the owner. Writes directly to devices and pipes. Throws system errors.
 */
export function writeWhole(file: string, text: ReportText): void {
  if (isSpecial(file)) {
    writeAndClose(openSync(file, constants.O_WRONLY | constants.O_APPEND), text);
    return;
  }
  const target = followLinks(file);
  const before = statSync(target, { throwIfNoEntry: false });
  assertReplaceable(target, before);
  createFolder(dirname(target));
  // A private file stays private during writing.
  replaceFile(dirname(target), before ? 0o600 : newFileMode, (fd) => {
    writePieces(fd, text);
    if (before) keepOwner(fd, before);
    return target;
  });
}

function writePieces(fd: number, text: ReportText): void {
  for (const piece of joinPieces(text)) writeFileSync(fd, piece);
}

function writeAndClose(fd: number, text: ReportText): void {
  try {
    writePieces(fd, text);
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

const remedies: Readonly<Record<string, string>> = {
  EISDIR: 'The path is a folder. Choose a file in this folder.',
  ENOTDIR: 'A part of the path is not a folder. Choose another path.',
  EACCES: 'The current user has no write permission for this path. Choose another path.',
  EPERM: 'The current user has no write permission for this path. Choose another path.',
  EROFS: 'The disk is read-only. Choose a file on another disk.',
  ENOSPC: 'The disk is full. Free some space, or choose a file on another disk.',
  EDQUOT: 'The disk quota of the current user is used up. Free some space, or choose a file on another disk.',
  EFBIG: 'The file would be larger than `ulimit -f` allows. Raise this limit.',
  ENAMETOOLONG: 'The name of the file is too long. Choose a shorter name.',
  ELOOP: 'The path is a symbolic link that leads back to itself. Choose another path.',
  EBUSY: 'The path is a mount point. Choose a file in a folder.',
  ENOENT: 'No file can be created at this path. Choose another path.',
  ENXIO: 'The path is a socket. Choose a regular file.',
  EPIPE: 'The reader closed the pipe. Keep the reader open until the command ends.',
};

/**
 * Formats an error message about a file that could not be written, with the reason and, for most system errors, a
 * remedy. If `file` is undefined, the message is about stdout.
 */
export function formatUnwritten(what: string, file: string | undefined, error: unknown): string {
  const place = file === undefined ? 'stdout' : `"${file}"`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = remedies[code] ?? (code && file !== undefined ? 'Choose another path.' : undefined);
  const why = error instanceof Error ? error.message : String(error);
  return `${what} could not be written to ${place}${remedy === undefined ? `: ${why}` : ` (${code}). ${remedy}`}`;
}

/**
 * Throws an `UnwritableError` if a file cannot be written. Call this function before the first request, so that no
 * results are lost.
 */
export function assertWritableFile(what: string, file: string): void {
  try {
    assertWritable(file);
  } catch (error) {
    throw new UnwritableError(`${formatUnwritten(what, file, error)} Nothing was sent.`);
  }
}

/**
 * Writes a file. If writing fails, creates the text again, tries to save the text in a temporary folder, and returns
 * an error message. Returns undefined if the file was written.
 */
export function writeOrKeep(what: string, file: string, createText: () => ReportText): string | undefined {
  try {
    writeWhole(file, createText());
    return undefined;
  } catch (error) {
    return `${formatUnwritten(what, file, error)}${saveElsewhere(basename(file), createText)}`;
  }
}

/** Writes a text to a new temporary file. Returns a sentence with the path of the file, or `''` if writing fails. */
export function saveElsewhere(name: string, createText: () => ReportText): string {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    const file = join(folder, name.slice(-100));
    writeAndClose(openSync(file, 'w'), createText());
    return ` The text was saved to ${file} instead.`;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return '';
  }
}

/** Thrown before the first request if an output file cannot be written. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}
