import { afterAll } from 'vitest';
import { createReferenceServer } from '../../../reference-server/index.ts';

/** Where the SDKs of a test file send their requests. */
export interface Gateway {
  readonly url: string;
  readonly apiKey: string;
}

/** Starts a reference gateway until the tests of the file have ended. */
export async function startGateway(): Promise<Gateway> {
  const server = await createReferenceServer();
  afterAll(() => server.close());
  return { url: server.url, apiKey: server.profile.keys.valid };
}
