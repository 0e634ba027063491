// The reference gateway in a process of its own; argument: the options of `createReferenceServer` as JSON. Every message
// asks for a fresh one in its place, so that the code is warm and the state is new; it tells how many requests the one
// before got.
import { createReferenceServer } from 'model-gateway-conformance/reference-server';

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

process.on('message', async () => {
  const before = requests;
  await server.close();
  server = await open();
  process.send?.({ url: server.url, before });
});
process.send?.({ url: server.url, before: 0 });
