import type { Setup } from './combine-setups.ts';
import { createReferenceServer, type ReferenceServerOptions } from './create-reference-server.ts';
import { startText } from './start-text.ts';

/** Where to serve and where to write; the defaults are loopback, port 8787, stdout and stderr. */
export type ServeOptions = Pick<
  ReferenceServerOptions,
  'latencyMs' | 'breakStream' | 'throttle' | 'script' | 'refusesHost'
> & {
  /** What the server differs in from the conforming one. */
  readonly setup?: Setup;
  readonly host?: string;
  readonly port?: number;
  /** Gets the text at start. */
  readonly write?: (text: string) => void;
  /** Gets one line a request. */
  readonly log?: (line: string) => void;
};

/** Serves until SIGINT or SIGTERM, then lets running answers finish and resolves; rejects if it can't listen. */
export async function serveReference(options: ServeOptions = {}): Promise<void> {
  const {
    setup = {},
    host = '127.0.0.1',
    port = 8787,
    write = (text) => process.stdout.write(text),
    log = (line) => process.stderr.write(`${line}\n`),
    ...asked
  } = options;
  const server = await createReferenceServer({ ...setup, ...asked, host, port, log });
  const stopped = stopSignal();
  write(startText(server));
  await stopped;
  await server.close();
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop);
      process.off('SIGTERM', stop);
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}
