import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isTemporary } from '../../../common/write-file.ts';
import { keysIn, searchForKeys } from './search-for-keys.ts';

/** The start of a command. `envPairs` has texts such as `CI=true`. */
export interface CommandStart {
  readonly args: readonly string[];
  readonly cwd: string | URL;
  readonly envPairs: readonly string[];
}

/**
 * Returns a function that searches the output of a command for keys, and the files that were written below the
 * temporary folder since this call. `line` names the command in messages.
 */
export function watchCommand(line: string, start: CommandStart): (outputs: readonly string[]) => void {
  // The command may end after its test file, when `tmpdir()` returns another folder.
  const folder = tmpdir();
  const before = filesBelow(folder);
  const secrets = keysGivenTo(start);
  return (outputs) => {
    for (const text of outputs) searchForKeys(`Printed by \`${line}\``, text, secrets);
    // A state file of `serve` has the keys of its gateway, and so has its temporary file, which a killed gateway leaves.
    const isState = (file: string): boolean =>
      file.endsWith('gateway-state.json') || (start.args.includes('--state') && isTemporary(file));
    for (const [file, state] of filesBelow(folder))
      if (before.get(file) !== state && !isState(file))
        searchForKeys(`Written by \`${line}\` to ${file}`, textOf(file), secrets);
  };
}

/**
 * Returns the keys in the arguments of a command, in its variables `GATEWAY_…KEY` of at least 13 characters, in the
 * files that the arguments name, and, if the working folder is temporary, in the files of the working folder.
 */
function keysGivenTo({ args, cwd, envPairs }: CommandStart): string[] {
  const folder = String(cwd);
  const values = envPairs
    .filter((pair) => /^GATEWAY_\w*KEY=.{13}/.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const own = folder.startsWith(tmpdir()) ? readdirSync(folder) : [];
  const files = [...own, ...args].map((name) => resolve(folder, name)).filter((file) => sizeOf(file) > 0);
  return [...values, ...args.flatMap(keysIn), ...files.flatMap(keysInFile)];
}

/** The keys in each file that was read, and the state of the file at that time. */
const read = new Map<string, { readonly state: string; readonly keys: readonly string[] }>();

/**
 * Returns the keys in a file. Reads the file again only if the file changed, since a folder may contain large reports.
 */
function keysInFile(file: string): readonly string[] {
  const state = stateOf(file);
  const known = read.get(file);
  if (known?.state === state) return known.keys;
  const keys = keysIn(textOf(file));
  read.set(file, { state, keys });
  return keys;
}

/**
 * Folders without output of the command: the folders of other programs, and the compile cache of Node.js 22 and later.
 */
const ignoredFolders = /node_modules|node-compile-cache|playwright|\.git$/;

/**
 * Returns the files below a folder, each with its inode, modification time and size. Returns no files if the folder
 * does not exist.
 */
function filesBelow(folder: string, found = new Map<string, string>()): Map<string, string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !ignoredFolders.test(entry.name)) filesBelow(path, found);
    if (!entry.isFile()) continue;
    found.set(path, stateOf(path));
  }
  return found;
}

/** Returns the inode, modification time and size of a file. */
function stateOf(file: string): string {
  const { ino = 0, mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return [ino, mtimeMs, size].join();
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/**
 * Returns the size of a regular file in bytes, or 0 for anything else, such as an argument that is too long for a
 * path.
 */
function sizeOf(file: string): number {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  } catch {
    return 0;
  }
}

/** Returns the text of a file, or an empty text if the file is gone, since a running command may rename it meanwhile. */
function textOf(file: string): string {
  try {
    return sizeOf(file) > 0 ? readFileSync(file, 'utf8') : '';
  } catch (error) {
    if (isNotFound(error)) return '';
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
