// A server that responds like a model: at /stream with five events, 4 ms apart, and at other paths with a body of one
// kilobyte.
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../measure/listen.js';
import { connectToParent } from '../measure/messages.js';

const answer = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'ok '.repeat(300) }, finish_reason: 'stop' }],
});

const { url } = await startServer(async (asked, response) => {
  for await (const _ of asked);
  if (asked.url !== '/stream') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let event = 0; event < 5; event += 1) {
    response.write(`data: ${answer.slice(0, 200)}\n\n`);
    await sleep(4);
  }
  response.end();
});
connectToParent(url);
