// The reference gateway in a separate process. Argument: a JSON object with the options of `createReferenceServer`.
// With `free: true`, calls cost nothing, since a load test would use up the balance of the account. The message `fresh`
// replaces the gateway with a new gateway, so that the code is warm and the state is new.
import { createReferenceServer } from 'model-gateway-conformance/reference-server';
import { connectToParent } from '../measure/messages.js';

const { free = false, ...given } = JSON.parse(process.argv[2] ?? '{}');
const options = free ? { ...given, decisions: () => ({ costOf: () => 0 }) } : given;
let server = await createReferenceServer(options);

connectToParent(server.url, {
  fresh: async () => {
    const before = server.requests().at(-1)?.number ?? 0;
    await server.close();
    server = await createReferenceServer(options);
    return { url: server.url, before };
  },
});
