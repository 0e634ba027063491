// The least that Node can do as a proxy: it pipes, and copies and checks nothing. Argument: the base URL behind it.
import { Agent, request } from 'node:http';
import { listen } from '../measure/listen.js';
import { tell } from '../measure/messages.js';

const { hostname, port } = new URL(process.argv[2] ?? '');
const agent = new Agent({ keepAlive: true });
const { url } = await listen((incoming, response) => {
  const { method, url: path, headers } = incoming;
  const asked = request({ agent, hostname, port, method, path, headers });
  asked.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  incoming.pipe(asked);
});
tell(url);
