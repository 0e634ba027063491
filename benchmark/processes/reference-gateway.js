// The reference gateway in a process of its own; argument: the options of `createReferenceServer` as JSON, and `free` for
// calls that cost nothing, since a load would use up the balance of its account. When asked for
// a fresh one it puts that in the place of the one before, so that the code is warm and the state is new.
import { createReferenceServer } from 'model-gateway-conformance/reference-server';
import { tell } from '../measure/messages.js';

const { free = false, ...given } = JSON.parse(process.argv[2] ?? '{}');
const options = free ? { ...given, decisions: () => ({ costOf: () => 0 }) } : given;
let server = await createReferenceServer(options);

tell(server.url, {
  fresh: async () => {
    const before = server.requests().at(-1)?.number ?? 0;
    await server.close();
    server = await createReferenceServer(options);
    return { url: server.url, before };
  },
});
