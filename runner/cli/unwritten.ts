import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { UnwritableError } from './user-error.ts';
import { holdWritable, writeWhole } from './write-file.ts';

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
export function wordUnwritten(what: string, file: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const remedy = remedies[code];
  const why = error instanceof Error ? error.message : String(error);
  return `${what} could not be written to ${file}: ${remedy === undefined ? why : `${code}. ${remedy}`}`;
}

/** Throws UnwritableError where a file can't be written by now, which nobody should learn after a run. */
export function holdReady(what: string, file: string): void {
  try {
    holdWritable(file);
  } catch (error) {
    throw new UnwritableError(`${wordUnwritten(what, file, error)} Nothing was done.`);
  }
}

/** Writes a file whole; where it can't, keeps its text elsewhere, and gives what to complain of. */
export function writeOrKeep(what: string, file: string, text: string): string | undefined {
  try {
    writeWhole(file, text);
    return undefined;
  } catch (error) {
    return `${wordUnwritten(what, file, error)}${keptIn(basename(file), text)}`;
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
