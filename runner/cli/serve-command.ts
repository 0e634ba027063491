import { serveReference } from '../../reference-server/index.ts';

/** Serves the reference gateway until it is told to stop. */
export async function serveCommand(flags: { readonly host: string; readonly port: number }): Promise<void> {
  await serveReference(flags);
}
