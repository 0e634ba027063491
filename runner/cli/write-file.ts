import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file that is whole or not there, with the folders above it; throws where it can't. */
export function writeWhole(file: string, text: string): void {
  // A device or a pipe, such as /dev/stdout, is written to; to rename a file to it would put that in its place.
  if (isSpecial(file)) {
    writeFileSync(file, text);
    return;
  }
  makeFolder(dirname(file));
  const unfinished = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
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
  if (file.startsWith('/dev/')) return true;
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
