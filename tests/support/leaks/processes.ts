import { ChildProcess } from 'node:child_process';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { keysIn, searchForKeys } from './search-for-keys.ts';

/** The options that every asynchronous function of `node:child_process` passes to `ChildProcess.prototype.spawn`. */
interface Start {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string | URL;
  readonly envPairs?: readonly string[];
}

const running = new Set<() => void>();
let isWatching = false;

/** Searches the output so far of the running processes for keys. */
export function searchRunningProcesses(): void {
  for (const search of running) search();
}

/**
 * Searches the output of each child process for keys when the process ends, except for processes of `spawnSync` and
 * other synchronous functions. For the command, also searches the files that were written below the temporary folder
 * since the command was started.
 */
export function watchProcesses(): void {
  // Setup files run for every test file, and several files may share a process.
  if (isWatching) return;
  isWatching = true;
  const prototype: { spawn: (start: Start) => number } = Object(ChildProcess.prototype);
  const { spawn } = prototype;
  prototype.spawn = function (this: ChildProcess, start): number {
    const line = (start.args ?? [start.file]).join(' ');
    // The process may end after its test file, when `tmpdir()` returns another folder.
    const folder = tmpdir();
    const before = isCommand.test(line) ? filesBelow(folder) : undefined;
    const secrets = before ? keysGivenTo(start) : [];
    const status = spawn.call(this, start);
    const outputs = [copyOf(this.stdout), copyOf(this.stderr)];
    const search = (): void => {
      for (const text of outputs)
        searchForKeys(`Printed by \`${line}\``, withoutStartMessage(line, text()), secrets);
      if (!before) return;
      for (const [file, state] of filesBelow(folder))
        if (before.get(file) !== state)
          searchForKeys(`Written by \`${line}\` to ${file}`, textOf(file), secrets);
    };
    running.add(search);
    // This listener is the first, since a listener of a test may remove the files.
    this.once('close', () => {
      running.delete(search);
      search();
    });
    return status;
  };
}

/** Matches the name of the command, but not the temporary folders, whose names begin with it. */
const isCommand = /conformance(?!-)/;

/**
 * Returns the keys in the arguments of a command, in its variables `GATEWAY_…KEY`, in the files that the arguments
 * name, and in the files of its folder. The first argument is ignored: it is the path of Node.js, a file of 100 MB.
 */
function keysGivenTo({ args: [, ...args] = [], cwd = '.', envPairs = [] }: Start): string[] {
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

/** Returns the keys in a file. Reads a file again only if it changed, since a folder may contain large reports. */
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
const left = /node_modules|node-compile-cache|playwright|\.git$/;

/**
 * Returns the files below a folder, each with its inode, modification time and size; no files if the folder does not
 * exist.
 */
function filesBelow(folder: string, found = new Map<string, string>()): Map<string, string> {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !left.test(entry.name)) filesBelow(path, found);
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Returns the size of a regular file in bytes; 0 for anything else, such as an argument that is too long for a path.
 */
function sizeOf(file: string): number {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() ? found.size : 0;
  } catch {
    return 0;
  }
}

function textOf(file: string): string {
  return sizeOf(file) > 0 ? readFileSync(file, 'utf8') : '';
}

/** Returns a function that returns the text of a stream so far. A `data` listener would start the stream. */
function copyOf(stream: Readable | null): () => string {
  const pieces: Buffer[] = [];
  if (stream) {
    const push = stream.push.bind(stream);
    stream.push = (piece: unknown, encoding?: BufferEncoding): boolean => {
      if (Buffer.isBuffer(piece)) pieces.push(piece);
      return push(piece, encoding);
    };
  }
  return () => Buffer.concat(pieces).toString();
}

/**
 * Returns the output of `serve` without its start message, which prints the keys. Other output is returned unchanged.
 */
function withoutStartMessage(line: string, text: string): string {
  const end = 'Press Ctrl+C to stop the server.\n';
  return / serve( |$)/.test(line) ? text.slice(text.indexOf(end) + end.length) : text;
}
