import { type ChildProcess, spawn } from 'node:child_process';

/** A server that a test started. */
export interface StartedServer {
  readonly url: string;
  readonly stop: () => void;
}

/**
 * Starts a program in a folder, and waits until the program prints its URL, which the first group of `address`
 * matches. Rejects if the program cannot be started, or exits without printing the URL.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  { cwd, address }: { readonly cwd: string; readonly address: RegExp },
): Promise<StartedServer> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH ?? '', PYTHONDONTWRITEBYTECODE: '1' },
    });
    let printed = '';
    const read = (piece: Buffer): void => {
      printed += piece.toString();
      const url = address.exec(printed)?.[1];
      if (url) resolve({ url, stop: () => void child.kill('SIGKILL') });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child
      .on('error', reject)
      .on('close', (code) => reject(new Error(`${program} ended with ${code}: ${printed}`)));
  });
}
