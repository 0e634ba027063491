import { runCommandLine } from '../../runner/cli/program.ts';
import { createCommandEnvironment, createScratchFolder, type FinishedCommand } from './command.ts';
import { watchCommand } from './leaks/command-output.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The maximum time of a command, in milliseconds. The timeout of a test is longer, and does not end a command. */
const longestMs = 55_000;

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the command in this process, by default in a new folder, and much faster than a new process. From the
 * environment of this process, the command gets only `PATH` and `TMPDIR`. `env` adds variables. Concurrent calls run
 * one after the other, since a process has only one current folder. Tests of the exit of the process, of signals, of
 * stdin and of a terminal need a new process. `columns` is the width of stdout, as if it were a terminal.
 */
export function runInProcess(
  args: readonly string[],
  {
    cwd = createScratchFolder(),
    env = {},
    columns,
  }: { cwd?: string; env?: Record<string, string>; columns?: number } = {},
): Promise<FinishedCommand> {
  const own = createCommandEnvironment(env);
  const finished = last.then(() => runWith(args, cwd, own, columns));
  last = finished.catch(() => {});
  return finished;
}

async function runWith(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  columns: number | undefined,
): Promise<FinishedCommand> {
  const line = `conformance ${args.join(' ')}`;
  const envPairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const search = watchCommand(line, { args, cwd, envPairs });
  const before = { cwd: process.cwd(), env: process.env, columns: process.stdout.columns };
  const listeners = signals.map((signal) => [signal, process.listeners(signal)] as const);
  const stdout = capture(process.stdout);
  const stderr = capture(process.stderr);
  process.chdir(cwd);
  process.env = env;
  if (columns !== undefined) process.stdout.columns = columns;
  try {
    const code = await limitTime(line, runCommandLine(args));
    return { code: code ?? 0, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    search([stdout.text(), stderr.text()]);
    stdout.release();
    stderr.release();
    process.chdir(before.cwd);
    process.env = before.env;
    process.stdout.columns = before.columns;
    // After a run, the listeners of the command stay, so that a signal does not interrupt pending output.
    for (const [signal, kept] of listeners)
      for (const listener of process.listeners(signal))
        if (!kept.includes(listener)) process.off(signal, listener);
  }
}

/** Rejects if the command still runs after `longestMs`, so that the state of this process is restored in any case. */
function limitTime<T>(line: string, running: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`\`${line}\` still runs after ${longestMs} ms.`)), longestMs);
  });
  return Promise.race([running, late]).finally(() => clearTimeout(timer));
}

/** Collects the text of a stream instead of writing the text, until `release` is called. */
function capture(stream: NodeJS.WriteStream): { readonly text: () => string; readonly release: () => void } {
  const { write } = stream;
  let text = '';
  stream.write = (piece: string | Uint8Array, ...rest: unknown[]): boolean => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString();
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  return {
    text: () => text,
    release: () => {
      stream.write = write;
    },
  };
}
