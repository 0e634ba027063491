import type { Setup } from './combine-setups.ts';
import { createReferenceServer, type ReferenceServerOptions } from './create-reference-server.ts';
import { formatStartText } from './start-text.ts';

/**
 * Options of `serveReference`. By default, the server listens on 127.0.0.1, port 8787, and writes the start text to
 * stdout and the log to stderr.
 */
export type ServeOptions = Pick<
  ReferenceServerOptions,
  | 'latencyMs'
  | 'breakStream'
  | 'throttle'
  | 'rules'
  | 'refusesHost'
  | 'stateFile'
  | 'console'
  | 'consolePassword'
  | 'suite'
> & {
  readonly setup?: Setup;
  readonly host?: string;
  readonly port?: number;
  /** Called with the text that `serve` prints at the start. */
  readonly write?: (text: string) => void;
  readonly log?: (line: string) => void;
};

/**
 * Serves until SIGINT, SIGTERM or SIGHUP, then lets running responses finish for at most two seconds, and resolves.
 * Rejects if the server cannot start.
 */
export async function serveReference(options: ServeOptions = {}): Promise<void> {
  const {
    setup = {},
    host = '127.0.0.1',
    port = 8787,
    write = (text) => process.stdout.write(text),
    log = (line) => process.stderr.write(`${line}\n`),
    ...serverOptions
  } = options;
  const server = await createReferenceServer({ ...setup, ...serverOptions, host, port, log });
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  for (const signal of stopSignals) process.on(signal, stop);
  try {
    write(formatStartText(server, serverOptions.console ?? false));
    await stopped;
  } finally {
    // A terminal and npm may both forward one signal. The second one doesn't end the process before it has closed.
    await server.close();
    for (const signal of stopSignals) process.off(signal, stop);
  }
}

/** From Ctrl+C, from a supervisor, and from a closed terminal. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
