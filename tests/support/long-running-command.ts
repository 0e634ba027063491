import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { program } from './command.ts';

/** A command that runs until a signal arrives. */
export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<number | null>;
  /** Resolves when the output matches the global pattern this many times. Rejects if the command exits earlier. */
  readonly until: (times: number, pattern: RegExp) => Promise<void>;
  readonly said: () => string;
}

/** Starts the built command, optionally on a terminal. A command that still runs when the test ends is stopped. */
export function startCommand(
  args: readonly string[],
  { cwd, env = {}, terminal = false }: { cwd: string; env?: Record<string, string>; terminal?: boolean },
): RunningCommand {
  const line = [process.execPath, program, ...args];
  const [file = '', ...rest] = terminal
    ? ['script', '-qefc', `stty cols 100 rows 40; ${line.join(' ')}`, '/dev/null']
    : line;
  const child = spawn(file, rest, { cwd, env: { PATH: process.env.PATH ?? '', TERM: 'xterm', ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      said += piece.toString();
    });
  return {
    child,
    ended: new Promise((resolve) => child.on('close', resolve)),
    until: async (times, pattern) => {
      while ((said.match(pattern)?.length ?? 0) < times) {
        if (child.exitCode !== null) throw new Error(`The command ended with ${child.exitCode}:\n${said}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    said: () => said,
  };
}
