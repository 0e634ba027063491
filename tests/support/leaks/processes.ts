import { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { type CommandStart, watchCommand } from './command-output.ts';
import { searchForKeys } from './search-for-keys.ts';

/** The options that every asynchronous function of `node:child_process` passes to `ChildProcess.prototype.spawn`. */
interface Start extends Partial<CommandStart> {
  readonly file: string;
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
    // The first argument, the path of Node.js, is ignored, since this file has 100 MB.
    const { args: [, ...args] = [], cwd = '.', envPairs = [] } = start;
    const searchOutputs = isCommand.test(line) ? watchCommand(line, { args, cwd, envPairs }) : undefined;
    const status = spawn.call(this, start);
    const outputs = [copyOf(this.stdout), copyOf(this.stderr)];
    const search = (): void => {
      const texts = outputs.map((text) => withoutStartMessage(line, text()));
      if (searchOutputs) searchOutputs(texts);
      else for (const text of texts) searchForKeys(`Printed by \`${line}\``, text);
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

/** Matches the name of the command, but not the temporary folders, whose names begin with this name. */
const isCommand = /conformance(?!-)/;

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
  const at = text.indexOf(end);
  return at >= 0 && / serve( |$)/.test(line) ? text.slice(at + end.length) : text;
}
