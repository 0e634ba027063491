import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { assertWritable, writeNew, writeWhole } from '../../../common/write-file.ts';
import { joinPieces, type ReportText } from '../../reporters/reporter.ts';

const remedies: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder. Choose a file in it.',
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
    writeWhole(file, joinPieces(createText()));
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
    writeNew(file, joinPieces(createText()));
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
