import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type StartedServer, startProgram } from '../../support/start-program.ts';
import { python, type ToolName } from '../../support/tools.ts';

/**
 * A gateway of one runtime. The gateway responds with the path and the key of each request, and lists the received
 * requests.
 */
export interface RuntimeGateway {
  readonly name: string;
  /** The tool that the gateway needs, or undefined for Node.js. */
  readonly needs?: ToolName;
  readonly start: () => Promise<StartedServer>;
}

/** A request that a gateway received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  /** The length of the body, in bytes. */
  readonly bytes: number;
}

const cwd = fileURLToPath(new URL('.', import.meta.url));

/** A gateway with a strict parser, and one with a lenient parser. */
export const upstreams: readonly RuntimeGateway[] = [
  { name: 'Node.js', start: startNode },
  {
    name: 'http.server',
    needs: 'python',
    start: () => startProgram(python, ['upstream.py'], { cwd, address: /^(http:\S+)/ }),
  },
];

/** Returns and removes the requests that a gateway received since the last call. */
export async function takeSeenRequests({ url }: StartedServer): Promise<readonly SeenRequest[]> {
  return (await fetch(`${url}/__seen`, { headers: { connection: 'close' } })).json() as Promise<
    readonly SeenRequest[]
  >;
}

async function startNode(): Promise<StartedServer> {
  let seen: { method: string; path: string; bytes: number }[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    if (path === '/__seen') {
      response.end(JSON.stringify(seen));
      seen = [];
      return;
    }
    const entry = { method, path, bytes: 0 };
    seen.push(entry);
    if (path !== '/early') {
      // An incomplete body gets no response.
      try {
        for await (const piece of request) entry.bytes += piece.length;
      } catch {
        return;
      }
    }
    response.end(JSON.stringify({ path, key: headers['x-api-key'] ?? '' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
