// The reference gateway in a process of its own; argument: the options of `createReferenceServer` as JSON. When asked for
// a fresh one it puts that in the place of the one before, so that the code is warm and the state is new.
import { createReferenceServer } from 'model-gateway-conformance/reference-server';
import { tell } from '../measure/messages.js';

const options = JSON.parse(process.argv[2] ?? '{}');
let requests = 0;
let server = await open();

function open() {
  requests = 0;
  const log = () => {
    requests += 1;
  };
  return createReferenceServer({ ...options, log });
}

tell(server.url, {
  fresh: async () => {
    const before = requests;
    await server.close();
    server = await open();
    return { url: server.url, before };
  },
});
