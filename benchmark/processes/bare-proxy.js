// The smallest proxy in Node.js, which only pipes, without copies or checks. Argument: the base URL of the gateway.
import { Agent, request } from 'node:http';
import { startServer } from '../measure/listen.js';
import { connectToParent } from '../measure/messages.js';

const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const { url } = await startServer((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const asked = request({ agent, hostname, port, method, path, headers });
  asked.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(asked);
});
connectToParent(url);
