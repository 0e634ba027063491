import { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { keysIn, look } from './found.ts';

/** How Node hands over what is to be started, by whichever of its functions. */
interface Start {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string | URL;
  readonly envPairs?: readonly string[];
}

const running = new Set<() => void>();
let isWatching = false;

/** Looks at what the processes have put out that still run. */
export function lookAtRunning(): void {
  for (const lookAt of running) lookAt();
}

/**
 * Looks from now on at what every process has put out when it ends: all that it says, and where it is the command, all
 * that was written below the folder for temporary files since it was started.
 */
export function watchProcesses(): void {
  // Setup files run for every test file, and several files may share a process.
  if (isWatching) return;
  isWatching = true;
  const prototype: { spawn: (start: Start) => number } = Object(ChildProcess.prototype);
  const { spawn } = prototype;
  prototype.spawn = function (this: ChildProcess, start): number {
    const line = (start.args ?? [start.file]).join(' ');
    const before = isCommand.test(line) ? filesBelow(tmpdir()) : undefined;
    const secrets = before ? keysGivenTo(start) : [];
    const status = spawn.call(this, start);
    const said = [keep(this.stdout), keep(this.stderr)];
    const lookAt = (): void => {
      for (const text of said) look(`What \`${line}\` said`, behindStart(line, text()), secrets);
      if (!before) return;
      for (const [file, state] of filesBelow(tmpdir()))
        if (before.get(file) !== state) look(`What \`${line}\` wrote into ${file}`, textOf(file), secrets);
    };
    running.add(lookAt);
    // Before any listener of a test, which may take files away.
    this.once('close', () => {
      running.delete(lookAt);
      lookAt();
    });
    return status;
  };
}

/** The command by its name, which the folders for temporary files only begin with. */
const isCommand = /conformance(?!-)/;

/**
 * The keys that a command is given: in its arguments and its environment, in the files that it is given, and in its
 * folder. The first argument is the path of Node, a file of 100 MB.
 */
function keysGivenTo({ args: [, ...args] = [], cwd = '.', envPairs = [] }: Start): string[] {
  const folder = String(cwd);
  const values = envPairs
    .filter((pair) => /^GATEWAY_\w*KEY=.{13}/.test(pair))
    .map((pair) => pair.slice(pair.indexOf('=') + 1));
  const own = folder.startsWith(tmpdir()) ? readdirSync(folder) : [];
  const files = [...own, ...args].map((name) => resolve(folder, name)).filter((file) => sizeOf(file) > 0);
  return [...values, ...[...args, ...files.map(textOf)].flatMap(keysIn)];
}

/** Folders that contain no output of the command: those of others, and the compiled code that Node 22 and later cache. */
const left = /node_modules|node-compile-cache|playwright|\.git$/;

/** The files below a folder, each with what changes when it is written. */
function filesBelow(folder: string, found = new Map<string, string>()): Map<string, string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !left.test(entry.name)) filesBelow(path, found);
    if (!entry.isFile()) continue;
    const { ino = 0, mtimeMs = 0, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    found.set(path, [ino, mtimeMs, size].join());
  }
  return found;
}

/** The size of a regular file; 0 for all else, such as an argument that is longer than a path may be. */
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

/** Copies what comes through a stream, which a listener would set flowing; gives what came so far. */
function keep(stream: Readable | null): () => string {
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

/** The reference gateway tells its own keys when it starts, and never again. */
function behindStart(line: string, text: string): string {
  const end = 'Press Ctrl-C to stop the server.\n';
  return / serve( |$)/.test(line) ? text.slice(text.indexOf(end) + end.length) : text;
}
