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
  mkdtempSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

/** What is ours already, whatever it leads to: to rename a file to it would put that in its place. */
const opened = /^\/(dev\/(std(in|out|err)|fd\/\d+)|proc\/(self|\d+)\/fd\/\d+)$/;

const unfinished = { begin: '.conformance-', end: '.tmp' };

/** Whether a file is one that was being written; where the process was killed, such a one may be left, and is of no use. */
export function isUnfinished(file: string): boolean {
  const name = basename(file);
  return name.startsWith(unfinished.begin) && name.endsWith(unfinished.end);
}

/**
 * Writes a file, with the folders above it, so that at any moment all of the old text or all of the new one is there. A
 * link stays one, a file keeps its mode and owner, a device or a pipe is written to. Throws the error of the system.
 */
export function writeWhole(file: string, text: string): void {
  if (isSpecial(file)) {
    const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    try {
      writeFileSync(fd, text);
    } finally {
      closeSync(fd);
    }
    return;
  }
  const target = followLinks(file);
  const before = statSync(target, { throwIfNoEntry: false });
  assertReplaceable(target, before);
  makeFolder(dirname(target));
  // A file that others may not read is not readable by them while it is written either.
  replace(dirname(target), before ? 0o600 : newFileMode, (fd) => {
    writeFileSync(fd, text);
    if (before) keepOwner(fd, before);
    return target;
  });
}

/** Writes behind what a file has, or, where that can't be done wholly, leaves it as it was and throws the error of the system. */
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

/** Throws the error of the system where a file can't be written by now; leaves nothing behind, not even folders. */
export function assertWritable(file: string): void {
  if (isSpecial(file)) {
    accessSync(file, constants.W_OK);
    return;
  }
  const target = followLinks(file);
  assertReplaceable(target, statSync(target, { throwIfNoEntry: false }));
  let folder = dirname(target);
  while (!existsSync(folder)) folder = dirname(folder);
  replace(folder, newFileMode, () => undefined);
}

/** What a new file allows before the umask of the process takes some of it away. */
const newFileMode = 0o666;

/** Makes a new file in a folder, and renames it to what `fill` gives; removes it if that is undefined or an error. */
function replace(folder: string, mode: number, fill: (fd: number) => string | undefined): void {
  // A name that nobody can guess, and no other process has, be it on another machine that shares the folder.
  const file = join(folder, unfinished.begin + randomUUID() + unfinished.end);
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

/** A file that this user may not write is not replaced either, although its folder would allow that. */
function assertReplaceable(target: string, before: Stats | undefined): void {
  if (before?.isDirectory()) throw systemError('EISDIR', 'it is a folder');
  if (before) accessSync(target, constants.W_OK);
}

function keepOwner(fd: number, { mode, uid, gid }: Stats): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only root gives a file to somebody else.
  }
  fchmodSync(fd, mode & 0o7777);
}

/** Where a link leads to, be there a file or none; a circle of links throws in `statSync`. */
function followLinks(file: string): string {
  statSync(file, { throwIfNoEntry: false });
  const link = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink();
  return link ? followLinks(resolve(dirname(file), readlinkSync(file))) : file;
}

// One by one: to make them at once never ends below a folder that says of what is to be made that it isn't there.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another run may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

function isSpecial(file: string): boolean {
  if (opened.test(resolve(file))) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** What can be done about an error of the system, by its code. */
const remedies: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder; name a file in it.',
  ENOTDIR: 'What stands above it is no folder.',
  EACCES: 'This user may not write there; name another file.',
  EPERM: 'This user may not write there; name another file.',
  EROFS: 'That disk is read-only; name a file on another.',
  ENOSPC: 'The disk is full; make room, or name a file on another.',
  EDQUOT: 'The quota of this user is used up; make room, or name a file on another disk.',
  EFBIG: 'It is longer than a file may be here; `ulimit -f` may say so.',
  ENAMETOOLONG: 'The name is too long.',
  ELOOP: 'It is a link that leads back to itself.',
  EBUSY: 'Something is mounted there; name a file in a folder.',
  ENOENT: 'Nothing can be made there.',
  ENXIO: 'It is a socket; name a file.',
  EPIPE: 'Its reader has left.',
};

/** Says in one line what could not be written, why, and what can be done about it. */
export function formatUnwritten(what: string, file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = remedies[code];
  const why = error instanceof Error ? error.message : String(error);
  return `${what} could not be written to ${file}: ${remedy === undefined ? why : `${code}. ${remedy}`}`;
}

/** Throws UnwritableError if a file can't be written, before a run instead of after it. */
export function assertWritableFiles(what: string, file: string): void {
  try {
    assertWritable(file);
  } catch (error) {
    throw new UnwritableError(`${formatUnwritten(what, file, error)} Nothing was done.`);
  }
}

/** Writes a file whole; where it can't, keeps its text elsewhere, and gives what to complain of. */
export function writeOrKeep(what: string, file: string, text: string): string | undefined {
  try {
    writeWhole(file, text);
    return undefined;
  } catch (error) {
    return `${formatUnwritten(what, file, error)}${keptIn(basename(file), text)}`;
  }
}

/** Writes a text to a new folder for temporary files, and says where; `''` if that fails too, and then nothing is left. */
export function keptIn(name: string, text: string): string {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    const file = join(folder, name.slice(-100));
    writeFileSync(file, text);
    return ` It is kept in ${file}.`;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return '';
  }
}

/** A file that is to be written later can't be, which is found before anything is done. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
}
