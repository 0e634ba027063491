import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../common/package-root.ts';
import { ownFolder } from '../../runner/cli/io/own-folder.ts';
import { assertBuilt } from './assert-built.ts';

assertBuilt();

/** The path of the command's script. */
export const program = join(packageRoot, 'bin/conformance.js');

/**
 * The arguments of Node.js that start the command. V8 would use a tenth of the processor time of a short run to
 * optimize functions, which the run then calls too rarely.
 */
export const programArguments = ['--no-opt', program];

/** The exit code and the output of a finished command. */
export interface FinishedCommand {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Creates an empty folder in the temporary folder of the test file, and returns its path. */
export function createScratchFolder(): string {
  return mkdtempSync(join(tmpdir(), 'conformance-'));
}

/** Returns the names of the files in the working folder of a command, without the folder that each run creates. */
export function listOutputs(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name !== ownFolder)
    .sort();
}

/** Returns the environment of a command: `PATH` and `TMPDIR` of this process, and `added`. */
export function createCommandEnvironment(added: Record<string, string>): Record<string, string> {
  return { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...added };
}

/**
 * Runs the built command until the command exits, by default in a new folder. From the environment of this process,
 * the command gets only `PATH` and `TMPDIR`. `env` adds variables. When stderr matches `interruptWhen`, sends
 * `signals` signals after 300 ms.
 */
export function conformance(
  args: readonly string[],
  {
    cwd = createScratchFolder(),
    env = {},
    interruptWhen,
    signals = 1,
    signal = 'SIGINT',
  }: {
    cwd?: string;
    env?: Record<string, string>;
    interruptWhen?: RegExp;
    signals?: number;
    signal?: NodeJS.Signals;
  } = {},
): Promise<FinishedCommand> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...programArguments, ...args], {
      cwd,
      env: createCommandEnvironment(env),
    });
    let stdout = '';
    let stderr = '';
    let interrupted = false;
    child.stdout.on('data', (piece: Buffer) => {
      stdout += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr += piece.toString();
      if (interruptWhen?.test(stderr) && !interrupted) {
        interrupted = true;
        for (let sent = 0; sent < signals; sent += 1) setTimeout(() => child.kill(signal), 300 + 3 * sent);
      }
    });
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
