import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createScratchFolder } from '../../support/command.ts';
import { type StartedServer, startProgram } from '../../support/start-program.ts';
import { listenOnFreePort } from '../../support/tls-servers.ts';
import { python, type ToolName } from '../../support/tools.ts';

/** A server that closes the connection after a 500 response without the header `Connection: close`. */
export interface ClosingServer {
  readonly name: string;
  /** The tool that the server needs, or undefined for Node.js. */
  readonly needs?: ToolName;
  /** Starts the server. Returns the base URL and a function that stops the server. */
  readonly start: () => Promise<StartedServer>;
}

/** The valid key of each of these servers. */
export const validKey = 'sk-servers-valid-0123456789';

const cwd = fileURLToPath(new URL('.', import.meta.url));

export const closingServers: readonly ClosingServer[] = [
  {
    name: 'uvicorn',
    needs: 'uvicorn',
    start: () =>
      startProgram(python, ['-m', 'uvicorn', 'gateway:asgi', '--port', '0', '--no-access-log'], {
        cwd,
        address: /running on (http:\S+)/,
      }),
  },
  {
    name: 'gunicorn',
    needs: 'gunicorn',
    start: () =>
      startProgram(
        python,
        ['-m', 'gunicorn', 'gateway:wsgi', '-b', '127.0.0.1:0', '-k', 'gthread', '--threads', '8'],
        { cwd, address: /Listening at: (http:\S+)/ },
      ),
  },
  {
    name: 'Go net/http',
    needs: 'go',
    start: async () => {
      const binary = join(createScratchFolder(), 'gateway');
      const built = spawnSync('go', ['build', '-o', binary, 'gateway.go'], { cwd });
      if (built.status !== 0) throw new Error(built.stderr.toString());
      return startProgram(binary, [], { cwd, address: /^(http:\S+)/ });
    },
  },
  { name: 'Node.js', start: startNode },
];

async function startNode(): Promise<StartedServer> {
  const server = createServer(async (request, response) => {
    const { status, body } = respond(request, await textOf(request));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    // At this moment, the next request may be on its way.
    if (status === 500) setTimeout(() => request.socket.destroy(), 1);
  });
  const port = await listenOnFreePort(server);
  return { url: `http://127.0.0.1:${port}`, stop: () => void server.close() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

function respond({ headers, url }: IncomingMessage, text: string): { status: number; body: object } {
  const failure = (status: number, type: string) => ({
    status,
    body: { error: { message: `messages: ${type}`, type, code: status, details: null } },
  });
  if (headers.authorization === undefined) return failure(401, 'missing_auth_credential');
  if (headers.authorization !== `Bearer ${validKey}`) return failure(401, 'invalid_bearer_token');
  if (url === '/v1/models') return { status: 200, body: { data: [{ id: 'model-1' }] } };
  if (url !== '/v1/chat/completions') return failure(404, 'not_found');
  try {
    const { model, messages }: { model: unknown; messages: { content: string }[] } = JSON.parse(text);
    if (model !== 'model-1') return failure(400, 'model_not_available');
    return { status: 200, body: { choices: messages.map((message) => ({ message })) } };
  } catch {
    return failure(500, 'internal_error');
  }
}
